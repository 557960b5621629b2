import { originOf } from '../../../platform/audit/changes.ts';
import { auditedRecords } from '../../../platform/audit/records.ts';
import { type Collection, collection } from '../../../platform/storage/collection.ts';
import { workspaceKey } from '../../../platform/storage/keys.ts';
import { itemsBelow } from '../../../platform/storage/query-items.ts';
import { toRecord } from '../../../platform/storage/stored-record.ts';
import type { Table } from '../../../platform/storage/table.ts';
import { HEALTHY, type WebhookHealth } from './health.ts';
import { toHealth } from './health-store.ts';
import { healthKey } from './keys.ts';
import type { StoredWebhook } from './records.ts';
import { toWatch, type Watch } from './watch.ts';

/** A webhook with its health and its watches. */
export interface WebhookState {
  webhook: StoredWebhook;
  health: WebhookHealth;
  watches: readonly Watch[];
}

export interface WebhookRepository extends Collection<StoredWebhook> {
  /** Reads a webhook and its health together; `webhook` is absent after its deletion. */
  withHealth(workspaceId: string, id: string): Promise<{ webhook?: StoredWebhook; health: WebhookHealth }>;
  /** Every webhook of the workspace, including newly created ones. */
  all(workspaceId: string): Promise<WebhookState[]>;
}

export function webhookRepository(table: Table): WebhookRepository {
  const items = (workspaceId: string, prefix = ''): Promise<Record<string, unknown>[]> =>
    Array.fromAsync(itemsBelow(table, workspaceKey(workspaceId, 'WEBHOOK', prefix)));

  return {
    ...collection<StoredWebhook>(table, {
      entity: 'webhook',
      versioned: true,
      logs: auditedRecords<StoredWebhook>(table, {
        subject: 'webhook',
        name: ({ name }) => name,
        members: {
          name: 'shown',
          // For a chat service, the path is the credential.
          url: originOf,
          kind: 'shown',
          events: 'shown',
          headerNames: 'shown',
          sealedHeaders: 'hidden',
          sealedSecret: 'hidden',
          enabled: 'shown',
        },
      }),
    }),

    async withHealth(workspaceId, id) {
      const found = await items(workspaceId, id);
      const webhook = found.find(({ sk }) => sk === id);
      const health = found.find(({ sk }) => sk === healthKey(workspaceId, id).sk);
      return {
        ...(webhook ? { webhook: toRecord<StoredWebhook>(webhook) } : {}),
        health: health ? toHealth(health) : HEALTHY,
      };
    },

    async all(workspaceId) {
      const states = new Map<string, WebhookState>();
      // In the order of the keys, a webhook precedes its health and its watches.
      for (const item of await items(workspaceId)) {
        const [id, part] = (item.sk as string).split('#') as [string, string | undefined];
        if (part === undefined)
          states.set(id, { webhook: toRecord<StoredWebhook>(item), health: HEALTHY, watches: [] });
        const state = states.get(id);
        if (!state) continue;
        if (part === 'HEALTH') state.health = toHealth(item);
        if (part === 'WATCH') state.watches = [...state.watches, toWatch(item)];
      }
      return [...states.values()];
    },
  };
}
