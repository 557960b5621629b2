import { DAY_MS } from '../../../platform/schedule/durations.ts';
import { addPeriods, type Grain, localTimeOf, startOfPeriod } from '../../../platform/schedule/periods.ts';
import { addMonths, dateOf, endOfMonth, instantOf, sameWeekLastYear, startOfDay } from './calendar.ts';

export const COMPARISONS = ['previous_period', 'same_period_last_year', 'none'] as const;
export type Comparison = (typeof COMPARISONS)[number];

/** A period in local time, with the part of it that has passed. */
export interface Window {
  start: number;
  end: number;
  /** The rows before this time count; `end` once the period is complete. */
  through: number;
  /** The same as an instant where that is known: a local time in an hour that clocks repeat is two instants. */
  throughInstant?: Date;
}

export interface Clock {
  grain: Grain;
  timezone: string;
  asOf: Date;
  /** Whether the time field has dates only: rows of the current day count as a whole then. */
  hasDates: boolean;
}

/** The period around `asOf`; with `includePartial: false`, the newest one that is complete. */
export function currentWindow({ grain, timezone, asOf, hasDates }: Clock, includePartial: boolean): Window {
  const local = localTimeOf(timezone, asOf);
  const start = startOfPeriod(grain, local);
  if (!includePartial) return completeWindow(grain, addPeriods(grain, start, -1));
  const end = addPeriods(grain, start, 1);
  return hasDates
    ? { start, end, through: startOfDay(local) + DAY_MS }
    : { start, end, through: local, throughInstant: asOf };
}

const completeWindow = (grain: Grain, start: number): Window => {
  const end = addPeriods(grain, start, 1);
  return { start, end, through: end };
};

/**
 * The window to compare with. An incomplete period is compared with the same part of the other one: up to the same time
 * on the same day of the month, of the week for weeks. A day that the other month does not have becomes the end of that
 * month.
 */
export function comparedWindow(
  { grain }: Pick<Clock, 'grain'>,
  window: Window,
  comparison: Exclude<Comparison, 'none'>,
): Window {
  const partner = (local: number) => partnerOf(grain, local, comparison);
  const complete = completeWindow(grain, startOfPeriod(grain, partner(window.start)));
  if (window.through >= window.end) return complete;
  if (window.through <= window.start) return { ...complete, through: complete.start };
  // The end is exclusive: what has a partner is the last moment before it.
  return { ...complete, through: Math.min(partner(window.through - 1) + 1, complete.end) };
}

function partnerOf(grain: Grain, local: number, comparison: Exclude<Comparison, 'none'>): number {
  const months = monthsBack(grain, comparison);
  if (months !== undefined) return addMonths(local, -months) ?? endOfMonth(local, -months) - 1;
  if (comparison === 'same_period_last_year') return sameWeekLastYear(local);
  return local - (grain === 'week' ? 7 : 1) * DAY_MS;
}

/** By how many months a comparison moves; undefined where it moves by days. */
function monthsBack(grain: Grain, comparison: Exclude<Comparison, 'none'>): number | undefined {
  if (comparison === 'same_period_last_year') return grain === 'week' ? undefined : 12;
  return { day: undefined, week: undefined, month: 1, quarter: 3, year: 12 }[grain];
}

/** The bounds of the rows between two local times, as values of the time field: instants, or dates in the zone. */
export function boundsOf({ timezone, hasDates }: Pick<Clock, 'timezone' | 'hasDates'>, from: number, to: number) {
  if (hasDates) return { from: dateOf(from), to: dateOf(to) };
  return { from: instantOf(timezone, from).toISOString(), to: instantOf(timezone, to).toISOString() };
}

/** The bounds of the rows of a window that count. */
export function boundsOfWindow(clock: Pick<Clock, 'timezone' | 'hasDates'>, window: Window) {
  const { from, to } = boundsOf(clock, window.start, window.through);
  return { from, to: window.throughInstant?.toISOString() ?? to };
}

export interface ShownWindow {
  from: string;
  to: string;
  through: string;
  isComplete: boolean;
}

export function showWindow(timezone: string, { start, end, through, throughInstant }: Window): ShownWindow {
  const [from, to, until] = [start, end, through].map((local) => instantOf(timezone, local).toISOString());
  return { from: from!, to: to!, through: throughInstant?.toISOString() ?? until!, isComplete: through >= end };
}
