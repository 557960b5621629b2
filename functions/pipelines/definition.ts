import { AppError } from '../../shared/errors/app-error.ts';
import type { Concurrency } from '../../shared/pipelines/dag.ts';
import { type Schedule, scheduleFaults } from '../../shared/schedule/schedule.ts';

/** The schedule to store: null for one without a rhythm. Throws `PIPELINE_SCHEDULE_INVALID`. */
export function checkedSchedule(schedule: Schedule | undefined, at: string): Schedule | null {
  if (!schedule || (schedule.cron === undefined && schedule.everySeconds === undefined)) {
    const errors = schedule ? scheduleFaults(schedule, at) : [];
    if (errors.length > 0) throw new AppError('PIPELINE_SCHEDULE_INVALID', { errors });
    return null;
  }
  const errors = scheduleFaults(schedule, at);
  if (errors.length > 0) throw new AppError('PIPELINE_SCHEDULE_INVALID', { errors });
  return { timezone: 'UTC', enabled: true, ...schedule };
}

export function completeConcurrency(concurrency: Concurrency | undefined): Required<Concurrency> {
  return { maxConcurrentRuns: 1, onOverlap: 'skip', ...concurrency };
}
