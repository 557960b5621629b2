import { type DeliveryMessage, reopenDelivery } from '../../../../shared/domains/events/webhooks/index.ts';
import type { DeliverDeps } from './deliver.ts';

type ReplayMessage = Extract<DeliveryMessage, { kind: 'replay' }>;

const PAGE = 100;

/**
 * Restarts the failed deliveries of one page and sends a message for the next page. A page that is handled twice skips
 * deliveries that have changed since the replay was requested.
 */
export async function replay(deps: DeliverDeps, message: ReplayMessage): Promise<void> {
  const { workspaceId, webhookId, requestedAt } = message;
  const page = await deps.deliveries.between(message, { limit: PAGE, after: message.after });
  const failed = page.filter(({ status, updatedAt }) => status === 'failed' && updatedAt < requestedAt);
  await Promise.all(failed.map((delivery) => deps.deliveries.move(delivery, reopenDelivery(delivery, deps.now()))));
  const next = page.length === PAGE ? [{ ...message, after: page.at(-1)!.id }] : [];
  const woken = failed.map(({ id }) => ({ kind: 'deliver' as const, workspaceId, webhookId, deliveryId: id }));
  await deps.queue.send([...woken, ...next].map((each) => ({ message: each, delaySeconds: 0 })));
}
