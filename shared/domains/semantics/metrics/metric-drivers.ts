import type { CacheOutcome } from '../queries/index.ts';
import type { QuestionDeps } from '../questions/index.ts';
import { type Amount, type Change, changeBetween, difference, ratioOf, sumOf } from './amounts.ts';
import { type AskedMetric, type DimensionValue, isAdditive, type MetricAnswer, slowestOf } from './ask-metric.ts';
import { askWindow, clockOf } from './ask-window.ts';
import { type Comparison, comparedWindow, currentWindow, type ShownWindow, showWindow } from './windows.ts';

/** The values of a metric in the two periods. */
export interface Pair extends Change {
  current: Amount;
  previous: Amount;
}

export interface Driver extends Pair {
  /** The value of the dimension. */
  value: DimensionValue;
  /** The part of the total change that is its own; null where parts do not add up. */
  contribution: Amount;
  /** The contribution in percent of the earlier total, so that contributions add up to the change of the total. */
  contributionPct: number | null;
}

export interface Drivers {
  additive: 'full' | 'none';
  total: Pair;
  items: Driver[];
  rest: Omit<Driver, 'value'> | null;
  /** The number of values of the dimension that `items` does not have; at least so many if the answers were cut. */
  restCount: number;
  truncated: boolean;
}

interface Asked {
  type: string;
  period: ShownWindow;
  comparedWith: ShownWindow;
  dataAsOf: string;
  cache: CacheOutcome;
}

/** The most values of a dimension that are compared. */
const MAX_VALUES = 5_000;

type Groups = Map<string, MetricAnswer['rows'][number]>;

/** What of a change belongs to which value of a dimension. */
export async function metricDrivers(
  deps: QuestionDeps,
  asked: AskedMetric,
  request: {
    by: string;
    compare: Exclude<Comparison, 'none'>;
    asOf: Date;
    includePartial: boolean;
    limit: number;
  },
): Promise<Drivers & Asked> {
  const clock = clockOf(asked, request.asOf);
  const windows = [currentWindow(clock, request.includePartial)];
  windows.push(comparedWindow(clock, windows[0]!, request.compare));
  const division = { by: request.by, limit: MAX_VALUES };
  const answers = await Promise.all(windows.map((window) => askWindow(deps, asked, clock, window, division)));
  const [current, previous] = answers.map(({ rows, total, truncated }) => ({
    groups: new Map(rows.map((row) => [JSON.stringify(row.dimension), row])),
    total,
    truncated,
  }));
  const [period, comparedWith] = windows.map((window) => showWindow(asked.timezone, window));
  return {
    ...driversOf(current!, previous!, { isAdditive: isAdditive(asked.definition, asked.metric), limit: request.limit }),
    type: answers[0]!.type,
    period: period!,
    comparedWith: comparedWith!,
    dataAsOf: answers.map(({ asOf }) => asOf).sort()[0]!,
    cache: slowestOf(answers.map(({ cache }) => cache)),
  };
}

interface Side {
  groups: Groups;
  total: Amount;
  truncated: boolean;
}

/**
 * The contributions of groups to the change of the total, the largest first. They add up to it together with `rest`:
 * parts of additive metrics are summed, and groups that overlap (as over a bridge table) count as not additive.
 */
export function driversOf(
  current: Side,
  previous: Side,
  { isAdditive: isAdditiveMetric, limit }: { isAdditive: boolean; limit: number },
): Drivers {
  const truncated = current.truncated || previous.truncated;
  const isSum = ({ groups, total, truncated: isCut }: Side) =>
    isCut || isClose(sumOf([...groups.values()].map(({ value }) => value)), total ?? 0);
  const additive = isAdditiveMetric && isSum(current) && isSum(previous);
  const total = pairOf(current.total, previous.total, isAdditiveMetric);
  const contributed = (pair: Pair) => ({
    ...pair,
    contribution: additive ? pair.change : null,
    contributionPct: additive ? percent(ratioOf(pair.change, total.previous)) : null,
  });
  const keys = [...new Set([...current.groups.keys(), ...previous.groups.keys()])];
  // What a cut answer lacks may have a value, which is not nothing: it belongs to the rest.
  const isKnown = (key: string) => [current, previous].every((each) => !each.truncated || each.groups.has(key));
  const all = keys
    .filter(isKnown)
    .map((key): Driver => {
      const [now, then] = [current.groups.get(key), previous.groups.get(key)];
      const pair = pairOf(now?.value ?? null, then?.value ?? null, additive);
      return { value: (now ?? then)!.dimension, ...contributed(pair) };
    })
    .sort(byChange);
  const items = all.slice(0, limit);
  const left = (side: Amount, of: 'current' | 'previous') => difference(side, sumOf(items.map((item) => item[of])));
  const rest =
    additive && keys.length > items.length
      ? contributed(pairOf(left(total.current, 'current'), left(total.previous, 'previous'), true))
      : null;
  return { additive: additive ? 'full' : 'none', total, items, rest, restCount: keys.length - items.length, truncated };
}

/** Where parts add up, a part without rows is nothing. */
function pairOf(current: Amount, previous: Amount, isAdditive: boolean): Pair {
  const [now, then] = isAdditive ? [current ?? 0, previous ?? 0] : [current, previous];
  return { current: now, previous: then, ...changeBetween(then, now) };
}

const percent = (ratio: number | null) => (ratio === null ? null : ratio * 100);

/** Sums of floating-point numbers depend on their order. */
const isClose = (a: Amount, b: Amount) =>
  Math.abs(Number(a) - Number(b)) <= 1e-9 * Math.max(1, Math.abs(Number(a)), Math.abs(Number(b)));

const sizeOf = ({ change }: Change) => (change === null ? -1 : Math.abs(Number(change)));

const byChange = (a: Driver, b: Driver) =>
  sizeOf(b) - sizeOf(a) || (JSON.stringify(a.value) < JSON.stringify(b.value) ? -1 : 1);
