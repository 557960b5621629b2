import type { QuestionDeps } from '../questions/index.ts';
import { type AskedMetric, askMetric, type MetricAnswer } from './ask-metric.ts';
import { boundsOfWindow, type Clock, type Window } from './windows.ts';

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
