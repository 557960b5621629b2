import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { workspaceKey } from '../../../platform/storage/keys.ts';
import type { Table, TransactItem } from '../../../platform/storage/table.ts';
import type { EventData, EventName } from './catalogue.ts';
import { withoutQuotedValues } from './reported-error.ts';

const RETENTION_SECONDS = 7 * 24 * 60 * 60;

/** An event for the webhooks that subscribe to it. */
export interface OutboxEvent<N extends EventName = EventName> {
  id: string;
  workspaceId: string;
  event: N;
  data: EventData<N>;
  at: Date;
  /** The only webhook that receives the event, whatever it subscribes to. */
  webhookId?: string;
}

/** The stored event, which the fan-out reads from the stream of the table. */
export interface OutboxRecord {
  id: string;
  workspaceId: string;
  event: string;
  data: Record<string, unknown>;
  /** The time of the event, the same in every delivery and attempt. */
  timestamp: string;
  webhookId?: string;
}

/**
 * Stores an event in the transaction of the change that it reports, so both are stored or neither. An id is sent once;
 * repeating it fails the transaction.
 */
export function outboxItem<N extends EventName>(table: Table, event: OutboxEvent<N>): TransactItem {
  return { Put: outboxPut(table, event) };
}

/** Stores an event without another write. Repeating an id changes nothing. */
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
      expiresAt: Math.floor(at.getTime() / 1000) + RETENTION_SECONDS,
    } satisfies OutboxRecord & Record<string, unknown>,
    ConditionExpression: 'attribute_not_exists(pk)',
  };
}
