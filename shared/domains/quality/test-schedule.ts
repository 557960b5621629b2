import { AppError, type Issue } from '../../platform/errors/app-error.ts';
import { type Schedule, scheduleIssues } from '../../platform/schedule/schedule.ts';
import { DATASETS } from '../models/index.ts';
import { canonicalTimezone } from '../queries/index.ts';

/** What a caller says about when a test runs. */
export interface GivenSchedule {
  scheduleEnabled?: boolean | undefined;
  scheduleCron?: string | null | undefined;
  scheduleTimezone?: string | undefined;
  runOnSync: boolean;
}

/** The schedule to store: a cron expression is enabled unless the caller says otherwise. Throws `VALIDATION_FAILED`. */
export function testSchedule(
  current: Schedule | null,
  given: GivenSchedule,
  { sourceId }: { sourceId: string },
): Schedule | null {
  const cron = given.scheduleCron === undefined ? current?.cron : (given.scheduleCron ?? undefined);
  const timezone = given.scheduleTimezone ?? current?.timezone ?? 'UTC';
  const enabled = given.scheduleEnabled ?? current?.enabled ?? cron !== undefined;
  const found = cron === undefined ? zoneIssues(timezone) : scheduleIssues({ cron, timezone }, '');
  const errors: Issue[] = found.map(({ pointer, ...issue }) => ({ ...issue, pointer: MEMBERS[pointer] ?? pointer }));
  if (given.scheduleEnabled === true && cron === undefined) {
    errors.push({ pointer: '/scheduleCron', code: 'REQUIRED', message: 'is required for an enabled schedule' });
  }
  if (given.runOnSync && sourceId !== DATASETS) {
    const message = 'is only for datasets, which have versions; give the test a schedule instead';
    errors.push({ pointer: '/runOnSync', code: 'NOT_ALLOWED', message });
  }
  if (errors.length > 0) throw new AppError('VALIDATION_FAILED', { errors });
  return cron === undefined ? null : { cron, timezone: canonicalTimezone(timezone), enabled };
}

const MEMBERS: Readonly<Record<string, string>> = { '/cron': '/scheduleCron', '/timezone': '/scheduleTimezone' };

const zoneIssues = (timezone: string): Issue[] => scheduleIssues({ timezone, enabled: false }, '');
