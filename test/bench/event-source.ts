import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { emit } from '../../shared/domains/events/events/outbox.ts';
import { newId } from '../../shared/platform/storage/ids.ts';
import { openTable, type Table } from '../../shared/platform/storage/table.ts';
import type { Platform } from './platform.ts';

/** The event that stands for all: about as large as most. */
export const EVENT = 'webhook.disabled';

/** Says that something happened, as product actions do, without an API call that would be measured too. */
export class EventSource {
  readonly #table: Table;
  readonly #workspaceId: string;
  readonly #client: DynamoDBClient;

  private constructor(client: DynamoDBClient, table: string, workspaceId: string) {
    this.#client = client;
    this.#table = openTable(table, client);
    this.#workspaceId = workspaceId;
  }

  static async open(platform: Platform): Promise<EventSource> {
    const { TABLE_NAME } = await platform.variablesOf('fan-out-events');
    return new EventSource(new DynamoDBClient(platform.awsClient), TABLE_NAME!, platform.workspaceId);
  }

  /** `mark` comes back in the event, as the id of what it is about. */
  emit(mark: string, event: typeof EVENT | 'webhook.test' = EVENT): Promise<void> {
    const workspaceId = this.#workspaceId;
    const at = new Date();
    const url = `/api/webhooks/${mark}`;
    const about = { workspaceId, webhookId: mark, webhookName: 'Operations channel' };
    if (event === 'webhook.test') return emit(this.#table, { id: newId(), workspaceId, event, data: about, at });
    const data = { ...about, reason: 'failing' as const, disabledAt: at.toISOString(), url };
    return emit(this.#table, { id: newId(), workspaceId, event, data, at });
  }

  close(): void {
    this.#client.destroy();
  }
}
