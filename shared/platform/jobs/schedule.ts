import { nextInstant, type Schedule } from '../schedule/schedule.ts';
import type { JobKind } from './record.ts';

export const JOB_SCHEDULE_SHARDS = 8;

/** Partitions of the due index in which datasets and data sources with a schedule lie at their next instant. */
const scheduleShard = (subjectId: string) =>
  `job-schedule#${Number.parseInt(subjectId.slice(-2), 16) % JOB_SCHEDULE_SHARDS}`;

/** The kind of job that the schedule of a record starts, by the area of its key. */
export const SCHEDULED_KINDS: Readonly<Record<string, JobKind>> = {
  DATASET: 'dataset_refresh',
  'DATA-SOURCE': 'source_sync',
};

/** The attributes by which the minute tick finds a record with a schedule; none when nothing is planned. */
export function scheduleAttributes(
  subjectId: string,
  schedule: Schedule | null | undefined,
  after: Date,
): { due?: string; dueAt?: string } {
  const next = nextInstant(schedule, after);
  return next ? { due: scheduleShard(subjectId), dueAt: next.toISOString() } : {};
}
