import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { workspaceKey } from '../../platform/storage/keys.ts';
import type { Table, TransactItem } from '../../platform/storage/table.ts';
import type { EventData, EventName } from './catalogue.ts';
import { withoutQuotedValues } from './reported-error.ts';

const KEPT_SECONDS = 7 * 24 * 60 * 60;

/** Something that happened, to be told to the webhooks that subscribe to it. */
export interface OutboxEvent<N extends EventName = EventName> {
  id: string;
  workspaceId: string;
  event: N;
  data: EventData<N>;
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
export function outboxItem<N extends EventName>(table: Table, event: OutboxEvent<N>): TransactItem {
  return { Put: outboxPut(table, event) };
}

/** Announces an event that no other write has to go with; an id that was announced before is not announced again. */
export async function emit<N extends EventName>(table: Table, event: OutboxEvent<N>): Promise<void> {
  try {
    await table.db.send(new PutCommand(outboxPut(table, event)));
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
  }
}

function outboxPut<N extends EventName>(table: Table, { at, ...event }: OutboxEvent<N>) {
  return {
    TableName: table.name,
    Item: {
      ...workspaceKey(event.workspaceId, 'OUTBOX', event.id),
      entity: 'outbox',
      ...event,
      data: withoutQuotedValues(event.data),
      timestamp: at.toISOString(),
      expiresAt: Math.floor(at.getTime() / 1000) + KEPT_SECONDS,
    } satisfies OutboxRecord & Record<string, unknown>,
    ConditionExpression: 'attribute_not_exists(pk)',
  };
}
