import * as Type from 'typebox';
import type { Issue } from '../../platform/errors/app-error.ts';
import { type Schedule, scheduleIssues } from '../../platform/schedule/schedule.ts';
import { canonicalTimezone } from '../queries/index.ts';

/** When tests and scans of a table run. */
export const cronProperties = {
  scheduleEnabled: Type.Boolean(),
  scheduleCron: Type.String({
    minLength: 1,
    maxLength: 500,
    description: 'Five fields, such as `30 2 * * *`, or a keyword such as `@daily`.',
  }),
  scheduleTimezone: Type.String({
    minLength: 1,
    maxLength: 64,
    description: 'The IANA name of the zone of `scheduleCron`.',
  }),
};

export interface GivenCron {
  scheduleEnabled?: boolean | undefined;
  scheduleCron?: string | null | undefined;
  scheduleTimezone?: string | undefined;
}

/** The schedule after a change, null without a cron expression, and what is wrong with it. */
export function readCron(current: Schedule | null, given: GivenCron): { schedule: Schedule | null; issues: Issue[] } {
  const cron = given.scheduleCron === undefined ? current?.cron : (given.scheduleCron ?? undefined);
  const timezone = given.scheduleTimezone ?? current?.timezone ?? 'UTC';
  const enabled = given.scheduleEnabled ?? current?.enabled ?? cron !== undefined;
  const found = cron === undefined ? zoneIssues(timezone) : scheduleIssues({ cron, timezone }, '');
  const issues = found.map(({ pointer, ...issue }) => ({ ...issue, pointer: MEMBERS[pointer] ?? pointer }));
  if (given.scheduleEnabled === true && cron === undefined) {
    issues.push({ pointer: '/scheduleCron', code: 'REQUIRED', message: 'is required for an enabled schedule' });
  }
  const isStored = cron !== undefined && issues.length === 0;
  return { schedule: isStored ? { cron, timezone: canonicalTimezone(timezone), enabled } : null, issues };
}

/** The schedule as its members are called. */
export const shownCron = (schedule: Schedule | null) => ({
  scheduleEnabled: schedule?.enabled === true,
  scheduleCron: schedule?.cron ?? null,
  scheduleTimezone: schedule?.timezone ?? 'UTC',
});

const MEMBERS: Readonly<Record<string, string>> = { '/cron': '/scheduleCron', '/timezone': '/scheduleTimezone' };

const zoneIssues = (timezone: string): Issue[] => scheduleIssues({ timezone, enabled: false }, '');
