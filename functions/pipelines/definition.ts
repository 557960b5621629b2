import { AppError } from '../../shared/errors/app-error.ts';
import type { Concurrency } from '../../shared/pipelines/dag.ts';
import {
  completeSchedule,
  hasRhythm,
  rhythmFaults,
  type Schedule,
  scheduleFaults,
} from '../../shared/schedule/schedule.ts';

/**
 * The schedule to store in place of `current`: an empty one is none, and one without a rhythm changes what it names, such
 * as whether it is on. Throws `PIPELINE_SCHEDULE_INVALID`.
 */
export function checkedSchedule(schedule: Schedule | undefined, at: string, current: Schedule | null): Schedule | null {
  if (!schedule || Object.keys(schedule).length === 0) return null;
  const errors = [...scheduleFaults(schedule, at), ...(current ? [] : rhythmFaults(schedule, at))];
  if (errors.length > 0) throw new AppError('PIPELINE_SCHEDULE_INVALID', { errors });
  return hasRhythm(schedule) ? completeSchedule(schedule) : current && { ...current, ...schedule };
}

export function completeConcurrency(concurrency: Concurrency | undefined): Required<Concurrency> {
  return { maxConcurrentRuns: 1, onOverlap: 'skip', ...concurrency };
}
