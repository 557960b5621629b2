import { type Collection, collection, toRecord } from '../../platform/storage/collection.ts';
import { workspaceKey } from '../../platform/storage/keys.ts';
import { itemsBelow } from '../../platform/storage/query-items.ts';
import type { Table } from '../../platform/storage/table.ts';
import { HEALTHY, type WebhookHealth } from './health.ts';
import { toHealth } from './health-store.ts';
import { healthKey } from './keys.ts';
import type { StoredWebhook } from './records.ts';
import { toWatch, type Watch } from './watch.ts';

/** A webhook with what is kept beside it. */
export interface WebhookState {
  webhook: StoredWebhook;
  health: WebhookHealth;
  /** Its watches, as in `watch.ts`. */
  watches: readonly Watch[];
}

export interface WebhookRepository extends Collection<StoredWebhook> {
  /** A webhook and how it has been doing, in one read; no webhook when it was deleted. */
  withHealth(workspaceId: string, id: string): Promise<{ webhook?: StoredWebhook; health: WebhookHealth }>;
  /** Every webhook of the workspace, those that were made a moment ago included. */
  all(workspaceId: string): Promise<WebhookState[]>;
}

/** Webhooks from before revisions were counted are at their first. */
const toWebhook = (item: Record<string, unknown>): StoredWebhook => toRecord<StoredWebhook>({ revision: 1, ...item });

export function webhookRepository(table: Table): WebhookRepository {
  const items = (workspaceId: string, beginning = ''): Promise<Record<string, unknown>[]> =>
    Array.fromAsync(itemsBelow(table, workspaceKey(workspaceId, 'WEBHOOK', beginning)));

  return {
    ...collection<StoredWebhook>(table, { entity: 'webhook', versioned: true }),

    async withHealth(workspaceId, id) {
      const found = await items(workspaceId, id);
      const webhook = found.find(({ sk }) => sk === id);
      const health = found.find(({ sk }) => sk === healthKey(workspaceId, id).sk);
      return {
        ...(webhook ? { webhook: toWebhook(webhook) } : {}),
        health: health ? toHealth(health) : HEALTHY,
      };
    },

    async all(workspaceId) {
      const states = new Map<string, WebhookState>();
      // In the order of the keys: a webhook comes before what is kept beside it.
      for (const item of await items(workspaceId)) {
        const [id, beside] = (item.sk as string).split('#') as [string, string | undefined];
        if (beside === undefined) states.set(id, { webhook: toWebhook(item), health: HEALTHY, watches: [] });
        const state = states.get(id);
        if (!state) continue;
        if (beside === 'HEALTH') state.health = toHealth(item);
        if (beside === 'WATCH') state.watches = [...state.watches, toWatch(item)];
      }
      return [...states.values()];
    },
  };
}
