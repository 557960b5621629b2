import type { Concurrency } from '../../../shared/domains/pipelines/definition/index.ts';
import { AppError } from '../../../shared/platform/errors/app-error.ts';
import { type Schedule, scheduleAfter, scheduleIssues } from '../../../shared/platform/schedule/schedule.ts';

/** The schedule to store in place of `current`. Throws `PIPELINE_SCHEDULE_INVALID`. */
export function checkedSchedule(schedule: Schedule | undefined, at: string, current: Schedule | null): Schedule | null {
  if (!schedule) return null;
  const errors = scheduleIssues(schedule, at, current);
  if (errors.length > 0) throw new AppError('PIPELINE_SCHEDULE_INVALID', { errors });
  return scheduleAfter(schedule, current);
}

export function completeConcurrency(concurrency: Concurrency | undefined): Required<Concurrency> {
  return { maxConcurrentRuns: 1, onOverlap: 'skip', ...concurrency };
}
