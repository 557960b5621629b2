import { nextInstant, type Schedule } from '../schedule/schedule.ts';
import type { JobKind } from './record.ts';

export const JOB_SCHEDULE_SHARDS = 8;

/** The partitions of the due index for records with a schedule, sorted by their next instant. */
const scheduleShard = (subjectId: string) =>
  `job-schedule#${Number.parseInt(subjectId.slice(-2), 16) % JOB_SCHEDULE_SHARDS}`;

/**
 * The kind of job that a record's schedule starts, by the area of the record's key. The subject is the record, or the
 * member that several records share: one job then works on all that are due.
 */
export const SCHEDULED_KINDS: Readonly<Record<string, { kind: JobKind; subject: string }>> = {
  DATASET: { kind: 'dataset_refresh', subject: 'id' },
  'DATA-SOURCE': { kind: 'source_sync', subject: 'id' },
  'QUALITY-TEST': { kind: 'quality_run', subject: 'tableKey' },
  'QUALITY-SCAN-SCHEDULE': { kind: 'quality_scan', subject: 'tableKey' },
};

/** The attributes by which the minute tick finds a record with a schedule; none without a next instant. */
export function scheduleAttributes(
  subjectId: string,
  schedule: Schedule | null | undefined,
  after: Date,
): { due?: string; dueAt?: string } {
  const next = nextInstant(schedule, after);
  return next ? { due: scheduleShard(subjectId), dueAt: next.toISOString() } : {};
}
