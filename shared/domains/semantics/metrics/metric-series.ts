import { AppError } from '../../../platform/errors/app-error.ts';
import { addPeriods, type Grain, localTimeOf, startOfPeriod } from '../../../platform/schedule/periods.ts';
import type { CacheOutcome } from '../queries/index.ts';
import type { Fill, QuestionDeps } from '../questions/index.ts';
import type { Amount } from './amounts.ts';
import { type AskedMetric, askMetric } from './ask-metric.ts';
import { clockOf } from './ask-window.ts';
import { dateOf, instantOf, midnightOf } from './calendar.ts';
import { boundsOf, boundsOfWindow, currentWindow } from './windows.ts';

export interface Point {
  /** The date on which the period begins. */
  date: string;
  from: string;
  to: string;
  value: Amount;
  isComplete: boolean;
}

export interface Series {
  grain: Grain;
  type: string;
  points: Point[];
  dataAsOf: string;
  cache: CacheOutcome;
}

export interface SeriesRequest {
  /** Dates in the zone, both included. */
  from?: string | undefined;
  to?: string | undefined;
  grain: Grain;
  fill: Fill;
  now: Date;
  /** Whether only rows before `now` count, as in the value of that moment. */
  endsNow?: boolean;
}

export const MAX_POINTS = 2_000;
/** How many periods a series has without a beginning. */
const USUAL_POINTS: Readonly<Record<Grain, number>> = { day: 30, week: 26, month: 12, quarter: 8, year: 5 };

/** One point for each period, also for those without rows. Throws `METRIC_STALE`. */
export async function metricSeries(deps: QuestionDeps, asked: AskedMetric, request: SeriesRequest): Promise<Series> {
  const { grain, now } = request;
  const starts = periodsOf(asked.timezone, request);
  const clock = clockOf(asked, now);
  const bounds = boundsOf(clock, starts[0]!, addPeriods(grain, starts.at(-1)!, 1));
  const current = currentWindow({ ...clock, grain }, true);
  if (request.endsNow) bounds.to = boundsOfWindow(clock, current).to;
  const passed = request.endsNow ? (current.throughInstant ?? instantOf(asked.timezone, current.through)) : now;
  const answer = await askMetric(deps, asked, bounds, { grain, limit: starts.length });
  const values = new Map(answer.rows.map(({ dimension, value }) => [dimension, value]));
  const points = starts.map((start): Point => {
    const end = instantOf(asked.timezone, addPeriods(grain, start, 1));
    return {
      date: dateOf(start),
      from: instantOf(asked.timezone, start).toISOString(),
      to: end.toISOString(),
      value: values.get(dateOf(start)) ?? null,
      isComplete: end <= passed,
    };
  });
  const { type, asOf: dataAsOf, cache } = answer;
  return { grain, type, points: filled(points, request.fill, now), dataAsOf, cache };
}

/**
 * The value over all periods of a series together, from their rows: that of a ratio or of a distinct count is no sum.
 * Throws `METRIC_STALE`.
 */
export async function metricTotal(
  deps: QuestionDeps,
  asked: AskedMetric,
  { grain, points, now }: { grain: Grain; points: readonly Point[]; now: Date },
): Promise<{ value: Amount; dataAsOf: string; cache: CacheOutcome }> {
  const end = addPeriods(grain, midnightOf(points.at(-1)!.date), 1);
  const bounds = boundsOf(clockOf(asked, now), midnightOf(points[0]!.date), end);
  const { rows, asOf, cache } = await askMetric(deps, asked, bounds);
  return { value: rows[0]?.value ?? null, dataAsOf: asOf, cache };
}

/** The local starts of the periods, at least one. Throws `VALIDATION_FAILED` for too many. */
export function periodsOf(
  timezone: string,
  { from, to, grain, now }: Pick<SeriesRequest, 'from' | 'to' | 'grain' | 'now'>,
): number[] {
  const last = startOfPeriod(grain, to === undefined ? localTimeOf(timezone, now) : midnightOf(to));
  const first =
    from === undefined ? addPeriods(grain, last, 1 - USUAL_POINTS[grain]) : startOfPeriod(grain, midnightOf(from));
  if (first > last && to === undefined) throw invalid('/query/from', 'ORDER', 'must not be after the last period');
  if (first > last) throw invalid('/query/to', 'ORDER', 'must not be before `from`');
  const starts: number[] = [];
  for (let start = first; start <= last; start = addPeriods(grain, start, 1)) {
    if (starts.length === MAX_POINTS) {
      throw invalid('/query/from', 'TOO_MANY', `gives more than ${MAX_POINTS} periods; choose a longer \`grain\``);
    }
    starts.push(start);
  }
  return starts;
}

const invalid = (pointer: string, code: string, message: string) =>
  new AppError('VALIDATION_FAILED', { errors: [{ pointer, code, message }] });

/** Values for periods without one. Periods that have not begun stay empty: nothing is known of them. */
export function filled(points: readonly Point[], fill: Fill, now: Date): Point[] {
  let previous: Amount = null;
  return points.map((point) => {
    const hasBegun = new Date(point.from) <= now;
    if (point.value === null && hasBegun && fill !== 'null') {
      return { ...point, value: fill === 'zero' ? 0 : previous };
    }
    previous = point.value ?? previous;
    return point;
  });
}
