import { Cron } from 'croner';
import Type, { type Static } from 'typebox';
import type { Issue } from '../errors/app-error.ts';
import { StrictObject } from '../http/schemas.ts';
import { clockPeriodAt, firstInstantOf } from './time-zone.ts';
export const Schedule = StrictObject(
  {
    cron: Type.Optional(
      Type.String({ minLength: 1, description: 'Five fields, such as `30 2 * * *`, or a keyword such as `@daily`.' }),
    ),
    everySeconds: Type.Optional(
      Type.Integer({ minimum: 15, maximum: 86_400, description: 'An interval in seconds, instead of `cron`.' }),
    ),
    // No `default` keywords: a change of a schedule must distinguish omitted members from given ones.
    timezone: Type.Optional(Type.String({ description: 'The IANA name of the zone of `cron`. Omit it for `UTC`.' })),
    enabled: Type.Optional(Type.Boolean({ description: 'Whether the schedule is active; `true` if omitted.' })),
  },
  { $id: 'Schedule', description: 'When to repeat something: at clock times, or at an interval in seconds.' },
);
export type Schedule = Static<typeof Schedule>;

/**
 * Reports unknown time zones, invalid cron expressions and ones that never fire, `cron` and `everySeconds` together,
 * and neither of them if there is no `current` schedule to change.
 */
export function scheduleIssues(schedule: Schedule, at: string, current: Schedule | null = null): Issue[] {
  const issues: Issue[] = [];
  const { cron, everySeconds, timezone = 'UTC' } = schedule;
  if (!isTimeZone(timezone)) {
    issues.push({
      pointer: `${at}/timezone`,
      code: 'TIMEZONE_UNKNOWN',
      message: `${timezone} is not an IANA time zone`,
    });
  }
  if (cron !== undefined && everySeconds !== undefined) {
    issues.push({ pointer: `${at}/everySeconds`, code: 'NOT_ALLOWED', message: 'cannot be combined with cron' });
  }
  if (cron !== undefined && issues.length === 0) {
    try {
      if (!expression(cron).nextRun()) {
        issues.push({
          pointer: `${at}/cron`,
          code: 'CRON_NEVER',
          message: 'never fires, because the date does not exist',
        });
      }
    } catch {
      const message = 'is not a cron expression of five fields, such as "0 6 * * 1-5", or a keyword such as @daily';
      issues.push({ pointer: `${at}/cron`, code: 'CRON_INVALID', message });
    }
  }
  // Without `cron` and `everySeconds` its members would have no effect, unless it is disabled anyway.
  const shouldRun = Object.keys(schedule).length > 0 && schedule.enabled !== false;
  if (!current && !definesTimes(schedule) && shouldRun) {
    issues.push({ pointer: `${at}/cron`, code: 'REQUIRED', message: 'is required if everySeconds is omitted' });
  }
  return issues;
}

/** Whether it defines when to fire; one that does not can only change another schedule. */
const definesTimes = ({ cron, everySeconds }: Schedule): boolean => cron !== undefined || everySeconds !== undefined;

/**
 * The schedule to store in place of `current`. An empty one removes it; one without `cron` and `everySeconds` changes
 * the given members, such as `enabled`.
 */
export function scheduleAfter(schedule: Schedule | null | undefined, current: Schedule | null): Schedule | null {
  if (!schedule || Object.keys(schedule).length === 0) return null;
  if (!definesTimes(schedule)) return current && { ...current, ...schedule };
  return { timezone: 'UTC', enabled: true, ...schedule };
}

/**
 * The first instant after `after`; undefined if the schedule is disabled or empty. When the clocks skip a fixed local
 * time, it fires right after the skip; a repeated local time fires at its first occurrence. With `*` as minute or hour
 * it fires whenever the clock shows a matching time: twice in a repeated hour, never in a skipped one. `everySeconds`
 * counts from the epoch, so it needs no state and ignores local time.
 */
export function nextInstant(schedule: Schedule | null | undefined, after: Date): Date | undefined {
  if (!schedule || schedule.enabled === false) return undefined;
  if (schedule.everySeconds !== undefined) {
    const everyMs = schedule.everySeconds * 1000;
    return new Date((Math.floor(after.getTime() / everyMs) + 1) * everyMs);
  }
  if (schedule.cron === undefined) return undefined;
  const local = expression(schedule.cron);
  const next = (time: number) => local.nextRun(new Date(time))?.getTime();
  const timezone = schedule.timezone ?? 'UTC';
  const found = isInterval(schedule.cron)
    ? nextShown(next, timezone, after.getTime())
    : nextFirstShown(next, timezone, after.getTime());
  return found === undefined ? undefined : new Date(found);
}

/** Returns the first matching local time after the given one; both as if they were UTC. */
type NextLocal = (time: number) => number | undefined;

function nextFirstShown(next: NextLocal, timezone: string, after: number): number | undefined {
  let local = next(after + clockPeriodAt(timezone, after).offsetMs);
  while (local !== undefined) {
    const instant = firstInstantOf(timezone, local);
    if (instant > after) return instant;
    local = next(local);
  }
  return undefined;
}

function nextShown(next: NextLocal, timezone: string, after: number): number | undefined {
  let period = clockPeriodAt(timezone, after);
  let local = next(after + period.offsetMs);
  while (local !== undefined) {
    if (local < period.until + period.offsetMs) return local - period.offsetMs;
    period = clockPeriodAt(timezone, period.until);
    local = next(period.from + period.offsetMs - 1000);
  }
  return undefined;
}

/** The instants in `(after, until]`, earliest first, given a function that returns the first one after a time. */
export function instantsBetween(next: (after: Date) => Date | undefined, after: Date, until: Date): Date[] {
  const found: Date[] = [];
  for (let instant = next(after); instant && instant <= until; instant = next(instant)) found.push(instant);
  return found;
}

/** Matches local times as if they were UTC: the functions above handle time zones, not the library. */
function expression(cron: string): Cron {
  const fields = cron.trim();
  if (!fields.startsWith('@') && fields.split(/\s+/).length !== 5) throw new Error('five fields are needed');
  return new Cron(fields, { timezone: 'UTC', paused: true, sloppyRanges: true });
}

/** Whether the expression describes an interval rather than times of day. */
function isInterval(cron: string): boolean {
  const [minute = '', hour = ''] = cron.trim().split(/\s+/);
  return minute === '@hourly' || minute.startsWith('*') || hour.startsWith('*');
}

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return /^[A-Za-z]/.test(name);
  } catch {
    return false;
  }
}
