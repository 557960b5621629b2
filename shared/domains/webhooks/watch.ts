import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { DeleteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { Key } from '../../platform/storage/keys.ts';
import type { Table } from '../../platform/storage/table.ts';
import { WEBHOOK_WATCH, watchKey } from './keys.ts';

/**
 * Says that deliveries of a webhook, made in a period, are looked after together: when it is due the sweep reads the
 * webhook's deliveries since `from` and wakes those that are still open. For a webhook with many deliveries that is far
 * cheaper than a place in the due index for each.
 */
export interface Watch {
  /** The instant with which the period begins. */
  period: string;
  /** The time of the oldest event among the deliveries. */
  from: string;
}

const PERIOD_MS = 2 * 60_000;
/** Whoever began to make deliveries in the period has ended by then, or was ended; and each is a minute old at least. */
const DUE_AFTER_MS = 75_000;
/** Events arrive a little out of order, which is not worth a write each. */
const SLACK_MS = 10_000;

/** The period that `now` lies in. */
export function periodOf(now: Date): string {
  return new Date(Math.floor(now.getTime() / PERIOD_MS) * PERIOD_MS).toISOString();
}

/** When the watch over a period is due; no event among its deliveries is younger. */
export function watchDueAt(period: string): Date {
  return new Date(Date.parse(period) + PERIOD_MS + DUE_AFTER_MS);
}

/** Whether the watches cover a delivery that is made now for an event of that time. */
export function isWatched(watches: readonly Watch[], eventAt: string, now: Date): boolean {
  return watches.some(({ period, from }) => period === periodOf(now) && from <= eventAt);
}

/** Covers what is made in the present period for events since `eventAt`. */
export async function watch(
  table: Table,
  webhook: { workspaceId: string; id: string },
  eventAt: string,
  now: Date,
): Promise<void> {
  const period = periodOf(now);
  const update = new UpdateCommand({
    TableName: table.name,
    Key: watchKey(webhook.workspaceId, webhook.id, period),
    UpdateExpression: 'SET entity = :entity, #from = :from, due = :due, dueAt = :dueAt',
    ConditionExpression: 'attribute_not_exists(pk) OR #from > :from',
    ExpressionAttributeNames: { '#from': 'from' },
    ExpressionAttributeValues: {
      ':entity': 'webhook-watch',
      ':from': new Date(Date.parse(eventAt) - SLACK_MS).toISOString(),
      ':due': WEBHOOK_WATCH,
      ':dueAt': watchDueAt(period).toISOString(),
    },
  });
  try {
    await table.db.send(update);
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
  }
}

/** Ends a watch whose deliveries were looked at. Nobody adds to it any more: its period is over. */
export async function unwatch(table: Table, key: Key): Promise<void> {
  await table.db.send(new DeleteCommand({ TableName: table.name, Key: key }));
}

export function toWatch(item: Record<string, unknown>): Watch {
  return { period: (item.sk as string).split('#')[2]!, from: item.from as string };
}
