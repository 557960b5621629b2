import { AwsCron } from './cron.ts';
import { WallClock } from './wall-clock.ts';

/** The instants at which a schedule is due. */
export interface Timetable {
  readonly kind: 'rate' | 'cron' | 'at';
  /** The first instant strictly after `after`, in epoch milliseconds; undefined if there is none. */
  next(after: number): number | undefined;
}

const UNIT_MS: Record<string, number> = { minute: 60_000, hour: 3_600_000, day: 86_400_000 };

/**
 * Parses `rate(…)`, `cron(…)` or `at(…)`. A rate counts from `anchor`, with days of 24 hours; the others use
 * `timeZone`. Throws an `Error` if the text is not valid.
 */
export function parseExpression(text: string, options: { timeZone: string; anchor: number }): Timetable {
  const [, kind, inner] = /^(rate|cron|at)\((.*)\)$/.exec(text) ?? [];
  if (kind === undefined || inner === undefined) throw new Error('it is neither rate, cron nor at');
  const wallClock = new WallClock(options.timeZone);
  if (kind === 'rate') return rate(inner, options.anchor);
  if (kind === 'at') return at(inner, wallClock);
  const cron = new AwsCron(inner, wallClock);
  return { kind: 'cron', next: (after) => cron.next(after) };
}

function rate(inner: string, anchor: number): Timetable {
  const [, value, unit] = /^([1-9]\d*) (minute|hour|day)s?$/.exec(inner) ?? [];
  const periodMs = Number(value) * (UNIT_MS[unit ?? ''] ?? Number.NaN);
  if (Number.isNaN(periodMs)) throw new Error('a rate is a positive number and a unit');
  return {
    kind: 'rate',
    next: (after) => (after < anchor ? anchor : anchor + (Math.floor((after - anchor) / periodMs) + 1) * periodMs),
  };
}

function at(inner: string, wallClock: WallClock): Timetable {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/.test(inner)) throw new Error('at takes yyyy-mm-ddThh:mm:ss');
  const wall = new Date(`${inner}Z`);
  // JavaScript reads February 30 as March 2.
  const isDate = !Number.isNaN(wall.getTime()) && wall.toISOString().startsWith(inner);
  const instant = isDate ? wallClock.instantOf(wall.getTime()) : undefined;
  if (instant === undefined) throw new Error(`${inner} does not exist`);
  return { kind: 'at', next: (after) => (instant > after ? instant : undefined) };
}
