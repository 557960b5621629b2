import { addPeriods, localTimeOf, startOfPeriod } from '../../../platform/schedule/periods.ts';
import { instantOf } from './calendar.ts';
import type { MetricRecord } from './records.ts';

const HOUR_MS = 60 * 60 * 1000;
/** How many missed periods a check catches up on. */
export const MAX_CAUGHT_UP = 7;

type Swept = MetricRecord & { anomalyChecks: NonNullable<MetricRecord['anomalyChecks']> };

/** Whether the metric is checked for unusual values on schedule, as long as it is certified. */
export const isSwept = (metric: MetricRecord): metric is Swept => metric.anomalyChecks !== null;

const DECISIVE = [
  'modelId',
  'measureId',
  'fieldId',
  'aggregation',
  'timeFieldId',
  'grain',
  'timezone',
  'filters',
  'anomalyChecks',
] as const;

export const isSamePlan = (a: MetricRecord, b: MetricRecord): boolean =>
  DECISIVE.every((member) => JSON.stringify(a[member]) === JSON.stringify(b[member]));

/** Consecutive periods to check, as local times. */
export interface SweptPeriods {
  first: number;
  last: number;
  /** The instant at which the last one ends. */
  until: Date;
}

/**
 * The complete periods that were not checked before `now`: those that ended after `checkedUntil`, and at first only the
 * newest. Undefined if there are none.
 */
export function periodsToSweep(metric: Swept, checkedUntil: string | undefined, now: Date): SweptPeriods | undefined {
  const { grain, timezone, anomalyChecks } = metric;
  const settled = new Date(now.getTime() - anomalyChecks.delayHours * HOUR_MS);
  const end = startOfPeriod(grain, localTimeOf(timezone, settled));
  const until = instantOf(timezone, end);
  const last = addPeriods(grain, end, -1);
  if (checkedUntil === undefined) return { first: last, last, until };
  if (checkedUntil >= until.toISOString()) return undefined;
  const earliest = addPeriods(grain, last, 1 - MAX_CAUGHT_UP);
  const next = startOfPeriod(grain, localTimeOf(timezone, new Date(checkedUntil)));
  return { first: Math.min(last, Math.max(earliest, next)), last, until };
}

/** When the period after `until` can be checked. */
export function nextSweepAt({ grain, timezone, anomalyChecks }: Swept, until: Date): Date {
  const end = addPeriods(grain, startOfPeriod(grain, localTimeOf(timezone, until)), 1);
  return new Date(instantOf(timezone, end).getTime() + anomalyChecks.delayHours * HOUR_MS);
}
