import type { QuestionDeps } from '../questions/index.ts';
import type { Amount } from './amounts.ts';
import type { AskedMetric, DimensionValue } from './ask-metric.ts';
import { askWindow, clockOf } from './ask-window.ts';
import { type Comparison, comparedWindow, currentWindow } from './windows.ts';

export interface MetricGroup {
  dimension: DimensionValue;
  value: Amount;
  /** The value of the compared period; null where the group had none. */
  base: Amount;
}

/**
 * The values of a period by those of a field, beside an earlier period. `truncated` if there are more than `limit`.
 * Throws `METRIC_STALE`, and `VALIDATION_FAILED` for a field that cannot divide it.
 */
export async function metricGroups(
  deps: QuestionDeps,
  asked: AskedMetric,
  request: { by: string; limit: number; compare: Comparison; asOf: Date; includePartial: boolean },
): Promise<{ type: string; groups: MetricGroup[]; truncated: boolean }> {
  const { by, limit, compare, asOf, includePartial } = request;
  const clock = clockOf(asked, asOf);
  const window = currentWindow(clock, includePartial);
  const earlier = compare === 'none' ? null : comparedWindow(clock, window, compare);
  const [now, then] = await Promise.all(
    [window, earlier].map((each) => each && askWindow(deps, asked, clock, each, { by, limit })),
  );
  const bases = new Map(then?.rows.map(({ dimension, value }) => [JSON.stringify(dimension), value]));
  const groups = now!.rows.map(({ dimension, value }) => ({
    ...{ dimension, value, base: bases.get(JSON.stringify(dimension)) ?? null },
  }));
  return { type: now!.type, groups, truncated: now!.truncated || (then?.truncated ?? false) };
}
