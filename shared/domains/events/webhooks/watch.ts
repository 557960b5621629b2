import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { DeleteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { Key } from '../../../platform/storage/keys.ts';
import type { Table } from '../../../platform/storage/table.ts';
import { WEBHOOK_WATCH, watchKey } from './keys.ts';

/**
 * Covers all deliveries of a webhook that were created in a period. When it is due, the sweep reads the deliveries
 * since `from` and sends messages for those that are still open. For a busy webhook this is far cheaper than an entry
 * in the due index for each delivery.
 */
export interface Watch {
  /** The beginning of the period. */
  period: string;
  /** The time of the oldest event of the deliveries. */
  from: string;
}

const PERIOD_MS = 2 * 60_000;
/**
 * By then, every function that created deliveries in the period has ended, and each delivery is at least a minute old.
 */
const DUE_AFTER_MS = 75_000;
/** Events arrive slightly out of order; this margin saves a write for each of them. */
const MARGIN_MS = 10_000;

/** The period that contains `now`. */
export function periodOf(now: Date): string {
  return new Date(Math.floor(now.getTime() / PERIOD_MS) * PERIOD_MS).toISOString();
}

/** When the watch over a period is due. All events of its deliveries are older. */
export function watchDueAt(period: string): Date {
  return new Date(Date.parse(period) + PERIOD_MS + DUE_AFTER_MS);
}

/** Whether the watches cover a delivery that is created now for an event of that time. */
export function isWatched(watches: readonly Watch[], eventAt: string, now: Date): boolean {
  return watches.some(({ period, from }) => period === periodOf(now) && from <= eventAt);
}

/** Covers the deliveries of the current period for events since `eventAt`. */
export async function addWatch(
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
      ':from': new Date(Date.parse(eventAt) - MARGIN_MS).toISOString(),
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

/** Removes a watch whose deliveries were checked. Its period is over, so no deliveries are added to it. */
export async function removeWatch(table: Table, key: Key): Promise<void> {
  await table.db.send(new DeleteCommand({ TableName: table.name, Key: key }));
}

export function toWatch(item: Record<string, unknown>): Watch {
  return { period: (item.sk as string).split('#')[2]!, from: item.from as string };
}
