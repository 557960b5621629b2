import type { Block } from '../../platform/mail/compose.ts';
import type { CardFilter } from '../cards/index.ts';
import type { DashboardParts } from '../dashboards/index.ts';
import {
  type Delivery,
  type DeliveryKind,
  type DeliveryRecipient,
  PEOPLE_REASONS,
  type StoredMail,
} from '../deliveries/index.ts';
import type { ExportFormat } from '../exports/index.ts';

/** The delivery kind of dashboards. */
export const DASHBOARDS: DeliveryKind = {
  name: 'dashboard',
  area: 'DASHBOARD-DELIVERY',
  tokens: { prefix: 'su', purpose: 'unsubscribe-dashboard' },
};

/** When a scheduled run sends the email to a recipient: always, only if a card has rows, or only if the recipient's rows have changed. */
export const CONDITIONS = ['always', 'hasRows', 'changed'] as const;

export interface ScheduleRecord extends Delivery {
  dashboardId: string;
  name: string;
  /** The format of the attached file; null attaches none. */
  format: ExportFormat | null;
  condition: (typeof CONDITIONS)[number];
  recipients: DeliveryRecipient[];
  filters: readonly CardFilter[];
  /** The page to send; null sends every page that is not hidden. */
  pageId: string | null;
  createdBy: string;
  updatedBy: string;
  createdAt: string;
  updatedAt: string;
  revision: number;
}

/** Why a schedule sends nothing. */
export const STOP_REASONS = [...PEOPLE_REASONS, 'DASHBOARD_DELETED', 'PAGE_DELETED', 'FILTER_DELETED'] as const;
export type StopReason = (typeof STOP_REASONS)[number];

/** Whether the dashboard still has the filters that the schedule sets; without one, an email would have rows that it leaves out. */
export const hasFilters = (
  { filters }: Pick<DashboardParts, 'filters'>,
  schedule: Pick<ScheduleRecord, 'filters'>,
): boolean =>
  schedule.filters.every(({ filterId }) => filterId === undefined || filters.some(({ id }) => id === filterId));

/** Why a run is skipped. */
export const RUN_REASONS = [...STOP_REASONS, 'STILL_RUNNING'] as const;
export type RunReason = (typeof RUN_REASONS)[number];

/** Why a recipient gets no email of a run. */
export const SKIP_REASONS = [
  'NOT_A_MEMBER',
  'UNSUBSCRIBED',
  'NO_ACCESS',
  'NO_ROWS',
  'UNCHANGED',
  'DOMAIN_NOT_ALLOWED',
  'ROW_RIGHTS',
] as const;
export type SkipReason = (typeof SKIP_REASONS)[number];

/** A file in the bucket. */
export interface StoredFile {
  key: string;
  fileName: string;
  contentType: string;
  bytes: number;
  truncated: boolean;
}

/** The content of an email. */
export interface ScheduleContent {
  dashboardId: string;
  dashboardName: string;
  scheduleName: string;
  pageName: string | null;
  workspaceName: string;
  /** The owner of the schedule. */
  ownerName: string;
  /** When the data is from, in words and in the zone of the schedule. */
  asOf: string;
  blocks: readonly Block[];
  /** Cards that do not fit into the email. */
  leftOutCount: number;
}

export interface StoredScheduleMail extends StoredMail<ScheduleContent> {
  cardCount: number;
  failedCardCount: number;
  /** The attached file. */
  file: StoredFile | null;
  /** Why no file is attached. */
  error: { code: string; message: string } | null;
}

/** The largest file that is attached; a larger one is left out. */
export const MAX_ATTACHED_BYTES = 5 * 1024 * 1024;

/** A dashboard has at most this many schedules, and a schedule as many recipients. */
export const MAX_SCHEDULES = 50;
export const MAX_RECIPIENTS = 50;
