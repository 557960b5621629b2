import { Nullable, StrictObject } from '../../../../shared/platform/http/schemas.ts';
import { Schedule } from '../../../../shared/platform/schedule/schedule.ts';
import type { Members } from './kind.ts';

const { cron, everySeconds, timezone, enabled } = Schedule.properties;
const AT = { timezone: 'UTC', enabled: true };

/** When to repeat something, or null, in a file. */
export const fileSchedule = {
  ...Nullable(
    StrictObject({
      cron,
      everySeconds,
      timezone: { ...timezone, default: AT.timezone },
      enabled: { ...enabled, default: AT.enabled },
    }),
  ),
  default: null,
};

/** A schedule without times is none. */
export function foldSchedule(file: Members): Members {
  const { schedule, ...others } = file as Members & { schedule?: Members | null };
  const isTimed = schedule?.cron !== undefined || schedule?.everySeconds !== undefined;
  return schedule && !isTimed && Object.keys(schedule).every((name) => name === 'enabled') ? others : file;
}

export function showSchedule(schedule: unknown): Members | null {
  if (!schedule) return null;
  const { nextRunAt: _, ...times } = schedule as Members;
  return times;
}

export const takeSchedule = (schedule: unknown): Members | null =>
  schedule ? { ...AT, ...(schedule as Members) } : null;
