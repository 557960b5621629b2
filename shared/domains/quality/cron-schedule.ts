import * as Type from 'typebox';
import type { Issue } from '../../platform/errors/app-error.ts';
import { type Schedule, scheduleIssues } from '../../platform/schedule/schedule.ts';
import { canonicalTimezone } from '../semantics/queries/index.ts';

/** When tests and scans of a table run. */
export const cronProperties = {
  scheduleEnabled: Type.Boolean(),
  cron: Type.String({
    minLength: 1,
    maxLength: 500,
    description: 'Five fields, such as `30 2 * * *`, or a keyword such as `@daily`.',
  }),
  timezone: Type.String({
    minLength: 1,
    maxLength: 64,
    description: 'The IANA name of the zone of `cron`.',
  }),
};

export interface GivenCron {
  scheduleEnabled?: boolean | undefined;
  cron?: string | null | undefined;
  timezone?: string | undefined;
}

/** The schedule after a change, null without a cron expression, and what is wrong with it. */
export function readCron(current: Schedule | null, given: GivenCron): { schedule: Schedule | null; issues: Issue[] } {
  const cron = given.cron === undefined ? current?.cron : (given.cron ?? undefined);
  const timezone = given.timezone ?? current?.timezone ?? 'UTC';
  const enabled = given.scheduleEnabled ?? current?.enabled ?? cron !== undefined;
  const issues = cron === undefined ? zoneIssues(timezone) : scheduleIssues({ cron, timezone }, '');
  if (given.scheduleEnabled === true && cron === undefined) {
    issues.push({ pointer: '/cron', code: 'REQUIRED', message: 'is required for an enabled schedule' });
  }
  const isStored = cron !== undefined && issues.length === 0;
  return { schedule: isStored ? { cron, timezone: canonicalTimezone(timezone), enabled } : null, issues };
}

/** The schedule as its members are called, also by their former names. */
export const showCron = (schedule: Schedule | null) => {
  const [cron, timezone] = [schedule?.cron ?? null, schedule?.timezone ?? 'UTC'];
  return {
    scheduleEnabled: schedule?.enabled === true,
    ...{ cron, timezone },
    ...{ scheduleCron: cron, scheduleTimezone: timezone },
  };
};

const zoneIssues = (timezone: string): Issue[] => scheduleIssues({ timezone, enabled: false }, '');
