import { Cron } from 'croner';
import type { Static } from 'typebox';
import * as Type from 'typebox';
import type { Issue } from '../errors/app-error.ts';
import { StrictObject } from '../http/schemas.ts';
import { LatestEntries } from '../storage/latest-entries.ts';
import { clockPeriodAt, firstInstantOf, isTimeZone } from './time-zone.ts';

/** Enough to list every minute, hour and day one by one; longer texts take too long to read. */
const MAX_CRON_CHARACTERS = 500;
/** A 29 February on a given weekday is at most 40 years away. */
const MAX_YEARS_AHEAD = 50;
const MAX_CACHED_EXPRESSIONS = 1_000;

export const Schedule = StrictObject(
  {
    cron: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: MAX_CRON_CHARACTERS,
        description: 'Five fields, such as `30 2 * * *`, or a keyword such as `@daily`.',
      }),
    ),
    everySeconds: Type.Optional(
      Type.Integer({ minimum: 15, maximum: 86_400, description: 'An interval in seconds, instead of `cron`.' }),
    ),
    // No `default` keywords: a change of a schedule must distinguish omitted members from given ones.
    timezone: Type.Optional(
      Type.String({ maxLength: 64, description: 'The IANA name of the zone of `cron`. Omit it for `UTC`.' }),
    ),
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
    if (expression(cron)) {
      if (!nextInstant({ cron, timezone }, new Date())) {
        issues.push({ pointer: `${at}/cron`, code: 'CRON_NEVER', message: 'never fires within the next 50 years' });
      }
    } else {
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
 * counts from the epoch, so it needs no state and ignores local time. A stored `cron` that is too long or cannot be
 * parsed never fires.
 */
export function nextInstant(schedule: Schedule | null | undefined, after: Date): Date | undefined {
  if (!schedule || schedule.enabled === false) return undefined;
  if (schedule.everySeconds !== undefined) {
    const everyMs = schedule.everySeconds * 1000;
    return new Date((Math.floor(after.getTime() / everyMs) + 1) * everyMs);
  }
  if (schedule.cron === undefined) return undefined;
  const local = expression(schedule.cron);
  if (!local) return undefined;
  const latest = after.getTime() + MAX_YEARS_AHEAD * YEAR_MS;
  const next = (time: number) => {
    const found = local.nextRun(new Date(time))?.getTime();
    return found !== undefined && found <= latest ? found : undefined;
  };
  const timezone = schedule.timezone ?? 'UTC';
  const found = isInterval(schedule.cron)
    ? nextShown(next, timezone, after.getTime())
    : nextFirstShown(next, timezone, after.getTime());
  return found === undefined ? undefined : new Date(found);
}

/** Whether the schedule has this instant; a message about it may be older than the schedule. */
export const isInstantOf = (schedule: Schedule | null | undefined, at: Date): boolean =>
  nextInstant(schedule, new Date(at.getTime() - 1))?.getTime() === at.getTime();

const YEAR_MS = 366 * 24 * 60 * 60 * 1000;

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
function expression(cron: string): Cron | undefined {
  if (cron.length > MAX_CRON_CHARACTERS) return undefined;
  const known = expressions.get(cron);
  if (known) return known.read;
  const read = readExpression(cron);
  expressions.set(cron, { read });
  return read;
}

const expressions = new LatestEntries<{ read: Cron | undefined }>(MAX_CACHED_EXPRESSIONS);

function readExpression(cron: string): Cron | undefined {
  const fields = cron.trim();
  if (!fields.startsWith('@') && fields.split(/\s+/).length !== 5) return undefined;
  try {
    return new Cron(fields, { timezone: 'UTC', paused: true, sloppyRanges: true });
  } catch {
    return undefined;
  }
}

/** Whether the expression describes an interval rather than times of day. */
function isInterval(cron: string): boolean {
  const [minute = '', hour = ''] = cron.trim().split(/\s+/);
  return minute === '@hourly' || minute.startsWith('*') || hour.startsWith('*');
}
