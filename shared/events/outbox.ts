import { workspaceKey } from '../storage/keys.ts';
import type { Table, TransactItem } from '../storage/table.ts';
import { transact } from '../storage/transact.ts';

const KEPT_SECONDS = 7 * 24 * 60 * 60;

/** Something that happened, to be told to the webhooks that subscribe to it. */
export interface OutboxEvent {
  id: string;
  workspaceId: string;
  /** Such as `pipeline.run_failed`. */
  event: string;
  /** Thin: ids, names, status, a link; no rows. */
  data: Record<string, unknown>;
  at: Date;
  /** Only this webhook is told, whatever it subscribes to. */
  webhookId?: string;
}

/** As stored, and as the fan-out reads it from the table's stream. */
export interface OutboxRecord {
  id: string;
  workspaceId: string;
  event: string;
  data: Record<string, unknown>;
  /** Time of the event, the same on every delivery and attempt. */
  timestamp: string;
  webhookId?: string;
}

/**
 * Belongs into the transaction that makes the event true: the change is stored together with its announcement, or
 * neither is. The same id announces once.
 */
export function outboxItem(table: Table, { at, ...event }: OutboxEvent): TransactItem {
  return {
    Put: {
      TableName: table.name,
      Item: {
        ...workspaceKey(event.workspaceId, 'OUTBOX', event.id),
        entity: 'outbox',
        ...event,
        timestamp: at.toISOString(),
        expiresAt: Math.floor(at.getTime() / 1000) + KEPT_SECONDS,
      } satisfies OutboxRecord & Record<string, unknown>,
      ConditionExpression: 'attribute_not_exists(pk)',
    },
  };
}

/** Announces an event that no other write has to go with. */
export async function emit(table: Table, event: OutboxEvent): Promise<void> {
  await transact(table, [outboxItem(table, event)]);
}
