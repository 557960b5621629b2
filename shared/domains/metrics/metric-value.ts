import type { QuestionDeps } from '../questions/index.ts';
import { type Amount, type Change, changeBetween } from './amounts.ts';
import {
  type AskedMetric,
  askMetric,
  type CacheOutcome,
  isAdditive,
  type MetricAnswer,
  slowestOf,
} from './ask-metric.ts';
import type { MetricRecord, Target } from './records.ts';
import { type Progress, progressOf, targetWindow } from './target.ts';
import {
  boundsOfWindow,
  type Clock,
  type Comparison,
  comparedWindow,
  currentWindow,
  type ShownWindow,
  shownWindow,
  type Window,
} from './windows.ts';

export interface MetricValue {
  value: Amount;
  type: string;
  period: ShownWindow;
  comparison: (Change & { value: Amount; period: ShownWindow }) | null;
  target: (Target & Progress) | null;
  asOf: string;
  dataAsOf: string;
  cache: CacheOutcome;
}

export interface ValueRequest {
  asOf: Date;
  compare: Comparison;
  includePartial: boolean;
}

export type AskedRecord = AskedMetric & { metric: MetricRecord };

/** The clock of a metric: its periods in the zone of the request. */
export function clockOf({ definition, metric, timezone }: AskedMetric, asOf: Date): Clock {
  const hasDates = definition.fields.get(metric.timeFieldId)?.dataType === 'date';
  return { grain: metric.grain, timezone, asOf, hasDates };
}

/** Asks for the rows of a window that have happened. */
export const askWindow = (
  deps: QuestionDeps,
  asked: AskedMetric,
  clock: Clock,
  window: Window,
  division?: Parameters<typeof askMetric>[3],
): Promise<MetricAnswer> => askMetric(deps, asked, boundsOfWindow(clock, window), division);

/** The value of a period, beside an earlier period and the target. Throws `METRIC_STALE`. */
export async function metricValue(
  deps: QuestionDeps,
  asked: AskedRecord,
  { asOf, compare, includePartial }: ValueRequest,
): Promise<MetricValue> {
  const { definition, metric, timezone } = asked;
  const clock = clockOf(asked, asOf);
  const window = currentWindow(clock, includePartial);
  const compared = compare === 'none' ? null : comparedWindow(clock, window, compare);
  const aimed = metric.target && targetWindow(metric.grain, metric.target, currentWindow(clock, true).through);
  const ask = (each: Window | null) => each && askWindow(deps, asked, clock, each);
  const [current, earlier, reached] = await Promise.all([ask(window), ask(compared), ask(aimed)]);
  const value = amountOf(current!);
  const answers = [current, earlier, reached].filter((each) => each !== null);
  return {
    value,
    type: current!.type,
    period: shownWindow(timezone, window),
    comparison: earlier && {
      value: amountOf(earlier),
      period: shownWindow(timezone, compared!),
      ...changeBetween(amountOf(earlier), value),
    },
    target: reached && {
      ...metric.target!,
      ...progressOf(metric.target!, aimed!, {
        actual: amountOf(reached),
        isAdditive: isAdditive(definition, metric),
        direction: metric.direction,
      }),
    },
    asOf: asOf.toISOString(),
    dataAsOf: answers.map((answer) => answer.asOf).sort()[0]!,
    cache: slowestOf(answers.map(({ cache }) => cache)),
  };
}

const amountOf = ({ rows }: MetricAnswer): Amount => rows[0]?.value ?? null;
