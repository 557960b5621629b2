import type { Block } from '../../../platform/mail/compose.ts';
import {
  type Delivery,
  type DeliveryRecipient,
  MAIL_FAILURES,
  PEOPLE_REASONS,
  type StoredMail,
} from '../../delivery/deliveries/index.ts';
import type { ReceiverSecrets } from '../../events/webhooks/index.ts';
import type { CardFilter } from '../cards/index.ts';
import type { ExportFormat } from '../exports/index.ts';
import type { GivenParameter } from '../reports/index.ts';

/**
 * When a scheduled run sends the email to a recipient: always, only if a chart has rows, or only if the recipient's
 * rows have changed.
 */
export const CONDITIONS = ['always', 'hasRows', 'changed'] as const;

export const TARGET_TYPES = ['webhook', 'slack', 'teams'] as const;
export type TargetType = (typeof TARGET_TYPES)[number];

/** An address that gets requests: a webhook, or the incoming webhook of a chat service, whose path is a credential. */
export interface DeliveryTarget extends ReceiverSecrets {
  id: string;
  type: TargetType;
  name: string;
  /** Scheme, host and port of the address. */
  origin: string;
  sealedUrl: string;
}

/** What the schedules of dashboards, reports and stories have in common. */
export interface ScheduleRecord extends Delivery {
  name: string;
  /** The format of the attached file; null attaches none. */
  format: ExportFormat | null;
  condition: (typeof CONDITIONS)[number];
  recipients: DeliveryRecipient[];
  targets?: DeliveryTarget[];
  /** Stories have none. */
  filters?: CardFilter[];
  createdBy: string;
  updatedBy: string;
  createdAt: string;
  updatedAt: string;
  revision: number;
}

export interface DashboardSchedule extends ScheduleRecord {
  filters: CardFilter[];
  dashboardId: string;
  /** The page to send; null sends every page that is not hidden. */
  pageId: string | null;
}

export interface ReportSchedule extends ScheduleRecord {
  filters: CardFilter[];
  reportId: string;
  parameters: GivenParameter[];
}

export interface StorySchedule extends ScheduleRecord {
  storyId: string;
}

/** Why a schedule of a dashboard sends nothing. */
export const DASHBOARD_STOP_REASONS = [
  ...PEOPLE_REASONS,
  'DASHBOARD_DELETED',
  'PAGE_DELETED',
  'FILTER_DELETED',
] as const;
/** Why a schedule of a report sends nothing. */
export const REPORT_STOP_REASONS = [...PEOPLE_REASONS, 'REPORT_DELETED', 'PARAMETERS_INVALID'] as const;
/** Why a schedule of a story sends nothing. */
export const STORY_STOP_REASONS = [
  ...PEOPLE_REASONS,
  'STORY_DELETED',
  'STORY_ARCHIVED',
  'STORY_NOT_PUBLISHED',
] as const;
export type StopReason =
  | (typeof DASHBOARD_STOP_REASONS)[number]
  | (typeof REPORT_STOP_REASONS)[number]
  | (typeof STORY_STOP_REASONS)[number];

/** Why a recipient gets no email of a run. */
export const SKIP_REASONS = [
  'NOT_A_MEMBER',
  'UNSUBSCRIBED',
  'NO_ACCESS',
  'NO_ROWS',
  'UNCHANGED',
  'FILTER_NOT_PUBLISHED',
  'DOMAIN_NOT_ALLOWED',
  'TARGET_REMOVED',
  'OBJECT_DELETED',
  'ROW_RIGHTS',
] as const;
export type SkipReason = (typeof SKIP_REASONS)[number];

/**
 * Why a target did not accept the delivery: the address is not allowed, it answered 410 or another permanent error, or
 * every attempt failed.
 */
export const TARGET_FAILURES = ['ADDRESS_BLOCKED', 'GONE', ...MAIL_FAILURES, 'ATTEMPTS_EXHAUSTED'] as const;
export type TargetFailure = (typeof TARGET_FAILURES)[number];

/** A file in the bucket. */
export interface StoredFile {
  key: string;
  fileName: string;
  contentType: string;
  bytes: number;
  truncated: boolean;
}

/** A picture of a chart, which the email shows; its block has the same content id. */
export type StoredPicture = Pick<StoredFile, 'key' | 'fileName' | 'contentType'> & { contentId: string };

/** The content of an email. */
export interface ScheduleContent {
  /** The dashboard, report or story. */
  objectId: string;
  objectName: string;
  scheduleName: string;
  pageName: string | null;
  workspaceName: string;
  /** The owner of the schedule. */
  ownerName: string;
  /** When the oldest data is from, in words and in the zone of the schedule. */
  asOf: string | null;
  /** What restricts the rows, in words. */
  filters: readonly string[];
  blocks: readonly Block[];
  pictures: readonly StoredPicture[];
  /** Cards that do not fit into the email. */
  leftOutCount: number;
}

export interface StoredScheduleMail extends StoredMail<ScheduleContent> {
  /** The cards of the dashboard, or blocks of the report or story, that were read. */
  cardCount: number;
  failedCardCount: number;
  /** The attached file. */
  file: StoredFile | null;
  /** Why no file is attached. */
  error: { code: string; message: string } | null;
}

/** The largest file that is attached; a larger one is left out. */
export const MAX_ATTACHED_BYTES = 5 * 1024 * 1024;

/** A dashboard, report or story has at most this many schedules, and a schedule as many recipients. */
export const MAX_SCHEDULES = 50;
export const MAX_RECIPIENTS = 50;
export const MAX_TARGETS = 10;
