import type { Issue } from '../../../platform/errors/app-error.ts';
import { deliveryTimeIssues, nextDeliveryAt } from '../../delivery/deliveries/index.ts';
import type { AlertRecord } from './records.ts';

type Times = Pick<AlertRecord, 'scheduleCron' | 'timezone' | 'isActive' | 'stopReason'>;

/** The next instant of the schedule; undefined if there is none, or while the rule is paused or stopped. */
export function nextEvaluationAt(
  { scheduleCron, timezone, isActive, stopReason }: Times,
  after: Date,
): Date | undefined {
  if (scheduleCron === null || stopReason !== null) return undefined;
  return nextDeliveryAt({ cron: scheduleCron, timezone, isActive }, after);
}

/** Whether the schedule has this instant. */
export const isDueAt = (times: Times, at: Date): boolean =>
  nextEvaluationAt(times, new Date(at.getTime() - 1))?.getTime() === at.getTime();

export const TOO_FREQUENT = 'TOO_FREQUENT';

/** Issues of the schedule, with places in the request. */
export function evaluationTimeIssues({ scheduleCron, timezone }: Times, now: Date): Issue[] {
  if (scheduleCron === null) return [];
  const issues = deliveryTimeIssues({ cron: scheduleCron, timezone }, now);
  return issues.map((issue) => ({ ...issue, pointer: issue.pointer.replace('/cron', '/scheduleCron') }));
}

const SHARDS = 4;

/** Partitions of the due index with rules whose next instant has come. */
export const ALERT_PARTITIONS = Array.from({ length: SHARDS }, (_, shard) => `alert#${shard}`);

export const alertPartition = (alertId: string): string =>
  ALERT_PARTITIONS[Number.parseInt(alertId.slice(-2), 16) % SHARDS]!;
