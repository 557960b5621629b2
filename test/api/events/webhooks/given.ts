import { expect, vi } from 'vitest';
import { emit } from '../../../../shared/domains/events/events/outbox.ts';
import { newId } from '../../../../shared/platform/storage/ids.ts';
import type { Api } from '../../../support/api.ts';
import type { Receiver } from '../../../support/receiver.ts';

/** An event that any test may cause; webhooks receive it like every other. */
export const EVENT = 'webhook.disabled';

/** A webhook of the workspace; its id. */
export async function givenWebhook(api: Api, receiver: Receiver, extra: object = {}): Promise<string> {
  const body = { name: 'hook', url: receiver.url, kind: 'generic', events: [EVENT], ...extra };
  return (await api.as('editor').post('/api/webhooks', body)).body.id;
}

/** Says in the workspace that something happened, as a product action does. */
export async function givenEvent(api: Api): Promise<void> {
  const { workspaceId } = api;
  const webhookId = newId();
  const at = new Date();
  const data = {
    workspaceId,
    webhookId,
    webhookName: 'another',
    reason: 'gone' as const,
    disabledAt: at.toISOString(),
    url: `/api/webhooks/${webhookId}`,
  };
  await emit(api.table, { id: newId(), workspaceId, event: EVENT, data, at });
}

/** The webhook's deliveries once there are so many and `condition` holds for each. */
export async function deliveriesWhere(
  api: Api,
  webhookId: string,
  count: number,
  condition: object,
  // biome-ignore lint/suspicious/noExplicitAny: deliveries as the API shows them
): Promise<any[]> {
  return vi.waitFor(
    async () => {
      const { items } = (await api.as('viewer').get(`/api/webhooks/${webhookId}/deliveries?limit=200`)).body;
      expect(items).toHaveLength(count);
      for (const delivery of items) expect(delivery).toMatchObject(condition);
      return items;
    },
    { timeout: 60_000, interval: 200 },
  );
}
