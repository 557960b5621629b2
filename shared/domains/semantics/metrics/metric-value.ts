import type { CacheOutcome } from '../queries/index.ts';
import type { QuestionDeps } from '../questions/index.ts';
import { type Amount, type Change, changeBetween } from './amounts.ts';
import { type AskedMetric, isAdditive, type MetricAnswer, slowestOf } from './ask-metric.ts';
import { askWindow, clockOf } from './ask-window.ts';
import type { MetricRecord, Target } from './records.ts';
import { type Progress, progressOf, targetWindow } from './target.ts';
import {
  type Comparison,
  comparedWindow,
  currentWindow,
  type ShownWindow,
  showWindow,
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
    period: showWindow(timezone, window),
    comparison: earlier && {
      value: amountOf(earlier),
      period: showWindow(timezone, compared!),
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
