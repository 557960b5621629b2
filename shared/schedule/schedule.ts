import { Cron } from 'croner';
import Type, { type Static } from 'typebox';
import type { Fault } from '../errors/app-error.ts';
import { Closed } from '../http/schemas.ts';

/** When something is done again and again: by the clock of a place, or every so many seconds. */
export const Schedule = Closed(
  {
    cron: Type.Optional(Type.String({ minLength: 1 })),
    everySeconds: Type.Optional(Type.Integer({ minimum: 15, maximum: 86_400 })),
    timezone: Type.Optional(Type.String({ default: 'UTC' })),
    enabled: Type.Optional(Type.Boolean({ default: true })),
  },
  { $id: 'Schedule' },
);
export type Schedule = Static<typeof Schedule>;

/** Unknown zones, texts that are no cron expression or never fire, and both kinds of rhythm at once. */
export function scheduleFaults(schedule: Schedule, at: string): Fault[] {
  const faults: Fault[] = [];
  const { cron, everySeconds, timezone = 'UTC' } = schedule;
  if (!isTimeZone(timezone)) {
    faults.push({ pointer: `${at}/timezone`, code: 'TIMEZONE_UNKNOWN', message: `${timezone} is no IANA time zone` });
  }
  if (cron !== undefined && everySeconds !== undefined) {
    faults.push({ pointer: `${at}/everySeconds`, code: 'NOT_ALLOWED', message: 'cannot stand beside cron' });
  }
  if (cron !== undefined && faults.length === 0) {
    try {
      if (!expression(cron, timezone).nextRun()) {
        faults.push({ pointer: `${at}/cron`, code: 'CRON_NEVER', message: 'there is no such date' });
      }
    } catch {
      const message = 'is no cron expression of five fields, such as "0 6 * * 1-5", or a word such as @daily';
      faults.push({ pointer: `${at}/cron`, code: 'CRON_INVALID', message });
    }
  }
  return faults;
}

/** The schedule to store: null for one without a rhythm. */
export function completeSchedule(schedule: Schedule | null): Schedule | null {
  if (!schedule || (schedule.cron === undefined && schedule.everySeconds === undefined)) return null;
  return { timezone: 'UTC', enabled: true, ...schedule };
}

/**
 * The first instant after `after` at which a run is due; undefined when the schedule is off or empty. A local time that
 * daylight saving skips fires once when the gap ends, a repeated one fires at its first occurrence. `everySeconds` counts
 * from the epoch, so that it has no memory and ignores local time.
 */
export function nextInstant(schedule: Schedule | null | undefined, after: Date): Date | undefined {
  if (!schedule || schedule.enabled === false) return undefined;
  if (schedule.everySeconds !== undefined) {
    const everyMs = schedule.everySeconds * 1000;
    return new Date((Math.floor(after.getTime() / everyMs) + 1) * everyMs);
  }
  if (schedule.cron === undefined) return undefined;
  return expression(schedule.cron, schedule.timezone ?? 'UTC').nextRun(after) ?? undefined;
}

/** The due instants in `(after, until]`, the earliest first, of what answers the first one after a time. */
export function instantsBetween(next: (after: Date) => Date | undefined, after: Date, until: Date): Date[] {
  const found: Date[] = [];
  for (let instant = next(after); instant && instant <= until; instant = next(instant)) found.push(instant);
  return found;
}

function expression(cron: string, timezone: string): Cron {
  const fields = cron.trim();
  if (!fields.startsWith('@') && fields.split(/\s+/).length !== 5) throw new Error('five fields are needed');
  return new Cron(fields, { timezone, paused: true, sloppyRanges: true });
}

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return /^[A-Za-z]/.test(name);
  } catch {
    return false;
  }
}
