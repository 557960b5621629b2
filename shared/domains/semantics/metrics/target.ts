import type { Issue } from '../../../platform/errors/app-error.ts';
import { DAY_MS } from '../../../platform/schedule/durations.ts';
import { type Grain, startOfPeriod } from '../../../platform/schedule/periods.ts';
import { type Amount, ratioOf } from './amounts.ts';
import { midnightOf } from './calendar.ts';
import type { Direction, Target } from './records.ts';
import type { Window } from './windows.ts';

export const PACE_STATUSES = ['ahead', 'on_track', 'behind'] as const;
export type PaceStatus = (typeof PACE_STATUSES)[number];

/** How far a value may be from the expected one to be on track, as a ratio of it. Once the time is over, none. */
const TOLERANCE = 0.05;

export interface Pace {
  /** The share of the time that has passed, from 0 to 1. */
  elapsed: number;
  /**
   * What the metric should be by now: in proportion to the time for values that add up, the target itself for others.
   */
  expected: number;
  status: PaceStatus;
}

export interface Progress {
  actual: Amount;
  progress: number | null;
  pace: Pace | null;
}

/** The time of a target, and the part of it that has passed at `through`. Before it has begun, the part is empty. */
export function targetWindow(grain: Grain, { from, by }: Target, through: number): Window {
  const last = midnightOf(by);
  const start = from === undefined ? startOfPeriod(grain, last) : midnightOf(from);
  const end = last + DAY_MS;
  return { start, end, through: Math.min(Math.max(through, start), end) };
}

/** Compares the value over the part of the time that has passed with the target. */
export function progressOf(
  { value }: Pick<Target, 'value'>,
  { start, end, through }: Window,
  metric: { actual: Amount; isAdditive: boolean; direction: Direction },
): Progress {
  const elapsed = (through - start) / (end - start);
  const { isAdditive, direction } = metric;
  // Nothing has been added up yet.
  const actual = metric.actual ?? (isAdditive ? 0 : null);
  if (actual === null) return { actual, progress: null, pace: null };
  const expected = isAdditive ? value * elapsed : value;
  const better = (Number(actual) - expected) * (direction === 'up_good' ? 1 : -1);
  const tolerance = elapsed < 1 ? Math.abs(expected) * TOLERANCE : 0;
  const status = better > tolerance ? 'ahead' : better < -tolerance ? 'behind' : 'on_track';
  return { actual, progress: ratioOf(actual, value), pace: { elapsed, expected, status } };
}

/** Issues of the dates of a target. */
export function targetIssues(grain: Grain, target: Target): Issue[] {
  const { start, end } = targetWindow(grain, target, 0);
  if (start < end) return [];
  return [{ pointer: '/target/from', code: 'ORDER', message: 'must not be after `by`' }];
}
