import { AppError } from '../../../platform/errors/app-error.ts';
import { DATASETS } from '../../semantics/models/index.ts';
import { type GivenCron, readCron } from '../cron-schedule.ts';
import type { StoredTest } from './records.ts';

/** What a caller says about when a test runs. */
export interface GivenSchedule extends GivenCron {
  runOnSync: boolean;
}

/** The schedule to store: a cron expression is enabled unless the caller says otherwise. Throws `VALIDATION_FAILED`. */
export function testSchedule(
  current: StoredTest['schedule'],
  given: GivenSchedule,
  { sourceId }: { sourceId: string },
): StoredTest['schedule'] {
  const { schedule, issues: errors } = readCron(current, given);
  if (given.runOnSync && sourceId !== DATASETS) {
    const message = 'is only for datasets, which have versions; give the test a schedule instead';
    errors.push({ pointer: '/runOnSync', code: 'NOT_ALLOWED', message });
  }
  if (errors.length > 0) throw new AppError('VALIDATION_FAILED', { errors });
  return schedule;
}
