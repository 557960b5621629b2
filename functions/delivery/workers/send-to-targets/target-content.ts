import type {
  ScheduleContent,
  ScheduleKind,
  ScheduleRecord,
  StoredScheduleMail,
} from '../../../../shared/domains/boards/delivery-schedules/index.ts';
import { linesOf } from '../../../../shared/platform/mail/compose.ts';

/** What a target gets of a run, as plain texts. */
export interface TargetContent {
  /** The same on every attempt. */
  id: string;
  workspaceId: string;
  kind: Pick<ScheduleKind<ScheduleRecord>, 'name' | 'part'>;
  schedule: { id: string; name: string };
  object: { id: string; name: string; page: string | null };
  /** A page for readers who are signed in. */
  url: string | null;
  workspaceName: string;
  scheduledFor: string | null;
  startedAt: string;
  asOf: string | null;
  filters: readonly string[];
  cards: { title: string; lines: string[] }[];
  leftOutCount: number;
  failedCardCount: number;
  file:
    | (Pick<NonNullable<StoredScheduleMail['file']>, 'fileName' | 'contentType' | 'bytes' | 'truncated'> & Link)
    | null;
  fileError: StoredScheduleMail['error'];
}

interface Link {
  downloadUrl: string;
  expiresAt: string;
}

export type TargetMail = StoredScheduleMail & { content: ScheduleContent };

interface Given {
  id: string;
  kind: TargetContent['kind'];
  schedule: ScheduleRecord;
  run: Pick<TargetContent, 'scheduledFor' | 'startedAt'>;
  mail: TargetMail;
  url: string | null;
  link: Link | null;
}

export function targetContent({ id, kind, schedule, run, mail, url, link }: Given): TargetContent {
  const { content, failedCardCount, file, error } = mail;
  return {
    id,
    kind,
    workspaceId: schedule.workspaceId,
    schedule: { id: schedule.id, name: content.scheduleName },
    object: { id: content.objectId, name: content.objectName, page: content.pageName },
    url,
    workspaceName: content.workspaceName,
    ...run,
    asOf: content.asOf,
    filters: content.filters,
    cards: content.blocks.map((block) => ({ title: block.name, lines: linesOf(block) })),
    leftOutCount: content.leftOutCount,
    failedCardCount,
    file: file && link && { ...pick(file), ...link },
    fileError: error,
  };
}

const pick = ({ fileName, contentType, bytes, truncated }: NonNullable<StoredScheduleMail['file']>) => ({
  ...{ fileName, contentType, bytes, truncated },
});

/** What a message does not show. */
export function notesOf({ leftOutCount, failedCardCount, kind: { part } }: TargetContent): string[] {
  const counted = (count: number): string => (count === 1 ? `1 ${part} is` : `${count} ${part}s are`);
  return [
    ...(leftOutCount > 0 ? [`${counted(leftOutCount)} left out of this message.`] : []),
    ...(failedCardCount > 0
      ? [`${counted(failedCardCount)} shown without data, because the data could not be read.`]
      : []),
  ];
}

/** What restricts the rows: one line, or none. */
export const filtersOf = ({ filters }: TargetContent): string[] =>
  filters.length === 0 ? [] : [`Filters: ${filters.join(' · ')}`];

export const headingOf = ({ object: { name, page } }: TargetContent): string =>
  page === null ? name : `${name}: ${page}`;

export const sourceOf = ({ schedule, workspaceName, asOf }: TargetContent): string[] => [
  ...(asOf === null ? [] : [`Data as of ${asOf}`]),
  schedule.name,
  workspaceName,
];
