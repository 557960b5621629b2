import type { Issue } from '../../../platform/errors/app-error.ts';
import { deliveryTimeIssues, nextDeliveryAt } from '../../delivery/deliveries/index.ts';
import type { AlertRecord } from './records.ts';

type Times = Pick<AlertRecord, 'scheduleCron' | 'timezone' | 'isActive' | 'stopReason'>;
type Instants = Times & Pick<AlertRecord, 'snoozedUntil'>;

/** The next instant of the schedule; undefined if there is none, or while the rule is paused or stopped. */
export function nextEvaluationAt(
  { scheduleCron, timezone, isActive, stopReason }: Times,
  after: Date,
): Date | undefined {
  if (scheduleCron === null || stopReason !== null) return undefined;
  return nextDeliveryAt({ cron: scheduleCron, timezone, isActive }, after);
}

/**
 * The next instant at which it is evaluated whatever its data: of its schedule, or the end of a snooze, of which people
 * get a summary.
 */
export function nextDueAt(alert: Instants, after: Date): Date | undefined {
  const scheduled = nextEvaluationAt(alert, after);
  const { snoozedUntil, isActive, stopReason } = alert;
  const isAsleep = snoozedUntil !== null && snoozedUntil > after.toISOString() && isActive && stopReason === null;
  const wakes = isAsleep ? new Date(snoozedUntil) : undefined;
  return wakes && (!scheduled || wakes < scheduled) ? wakes : scheduled;
}

/** Whether it is evaluated at this instant. */
export const isDueAt = (alert: Instants, at: Date): boolean =>
  nextDueAt(alert, new Date(at.getTime() - 1))?.getTime() === at.getTime();

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
