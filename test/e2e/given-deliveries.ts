import { setTimeout as wait } from 'node:timers/promises';
import type { Receiver } from '../support/receiver.ts';
import type { StartedPlatform } from '../support/started-platform.ts';

/** A delivery as the API shows it. */
export interface ShownDelivery {
  id: string;
  status: string;
  attempts: number;
  errorCode: string | null;
  responseStatus: number | null;
  lastError: string | null;
}

export async function givenWebhook(platform: StartedPlatform, url: string): Promise<string> {
  const body = { name: 'hook', url, kind: 'generic', events: [] };
  return (await platform.request('POST', '/api/webhooks', body)).id;
}

/** Emits so many events for the webhook, or more when an answer does not come, a few at a time. */
export async function emitEvents(platform: StartedPlatform, webhookId: string, count: number): Promise<void> {
  let left = count;
  const emitter = async () => {
    while (left > 0) {
      left -= 1;
      const emit = () => platform.request('POST', `/api/webhooks/${webhookId}/test`);
      await emit().catch((error: unknown) => {
        if (!(error instanceof TypeError)) throw error;
        left += 1;
      });
    }
  };
  await Promise.all(Array.from({ length: 8 }, emitter));
}

/** All deliveries of the webhook, once there are `count` and none is open any more. */
export async function settledDeliveries(
  platform: StartedPlatform,
  webhookId: string,
  count: number,
  timeoutMs: number,
): Promise<ShownDelivery[]> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const deliveries = await allDeliveries(platform, webhookId);
    const open = deliveries.filter(({ status }) => status !== 'delivered' && status !== 'failed');
    if (deliveries.length >= count && open.length === 0) return deliveries;
    if (Date.now() > deadline) {
      throw new Error(`${deliveries.length} of ${count} deliveries, open: ${JSON.stringify(open.slice(0, 5))}`);
    }
    await wait(250);
  }
}

async function allDeliveries(platform: StartedPlatform, webhookId: string): Promise<ShownDelivery[]> {
  const all: ShownDelivery[] = [];
  for (;;) {
    const path = `/api/webhooks/${webhookId}/deliveries?limit=200&offset=${all.length}`;
    const { items } = await platform.request<{ items: ShownDelivery[] }>('GET', path);
    all.push(...items);
    if (items.length < 200) return all;
  }
}

/** What the receiver has seen of each delivery. */
export function requestsById(receiver: Receiver): Map<string, string[]> {
  const bodies = new Map<string, string[]>();
  for (const { headers, body } of receiver.received) {
    const id = headers['x-service-delivery-id'] as string;
    bodies.set(id, [...(bodies.get(id) ?? []), body]);
  }
  return bodies;
}
