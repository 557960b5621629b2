import type { EventEnvelope } from '../../../shared/events/catalogue.ts';
import type { OutboxRecord } from '../../../shared/events/outbox.ts';
import { idAt } from '../../../shared/storage/ids.ts';
import type { DeliveryRepository } from '../../../shared/webhooks/deliveries.ts';
import type { WebhookQueue } from '../../../shared/webhooks/queue.ts';
import { MAX_ATTEMPTS, type StoredDelivery, type StoredWebhook } from '../../../shared/webhooks/records.ts';
import type { WebhookRepository } from '../../../shared/webhooks/repository.ts';
import { OVER, wokenAt } from '../../../shared/webhooks/waking.ts';
import { chatMessage } from './chat-message.ts';

export interface FanOutDeps {
  webhooks: WebhookRepository;
  deliveries: DeliveryRepository;
  queue: WebhookQueue;
  now: () => Date;
}

type NewDelivery = StoredDelivery & { body: string };

/**
 * Makes one delivery per subscribed webhook of each event, and wakes the sender. A delivery's id follows from event and
 * webhook, so an event that is read twice from the stream is delivered under one id; the queue may hear of it twice,
 * which its sender absorbs. Records come before messages: what the queue loses, the sweep finds.
 */
export async function fanOut(deps: FanOutDeps, records: readonly OutboxRecord[]): Promise<void> {
  const webhooks = new Map<string, Promise<StoredWebhook[]>>();
  const allOf = (workspaceId: string) => {
    const known = webhooks.get(workspaceId) ?? deps.webhooks.all(workspaceId);
    webhooks.set(workspaceId, known);
    return known;
  };
  const now = deps.now();
  const made = await Promise.all(
    records.map(async (record) => {
      const deliveries = (await allOf(record.workspaceId))
        .filter((webhook) => isToBeTold(webhook, record))
        .map((webhook) => newDelivery(record, webhook, now));
      await Promise.all(deliveries.map((delivery) => deps.deliveries.create(delivery)));
      return deliveries;
    }),
  );
  const open = made.flat().filter(({ status }) => status === 'pending');
  await deps.queue.send(
    open.map(({ workspaceId, webhookId, id }) => ({
      message: { kind: 'deliver', workspaceId, webhookId, deliveryId: id },
      delaySeconds: 0,
    })),
  );
}

/** One that somebody switched off is told nothing; what one misses that we switched off is kept for redelivery. */
function isToBeTold(webhook: StoredWebhook, { webhookId, event }: OutboxRecord): boolean {
  if (webhookId !== undefined) return webhook.id === webhookId;
  if (!webhook.enabled && webhook.disabledReason === 'manual') return false;
  return webhook.events.includes(event) || webhook.events.includes('*');
}

function newDelivery(record: OutboxRecord, webhook: StoredWebhook, now: Date): NewDelivery {
  const envelope = { event: record.event, timestamp: record.timestamp, data: record.data } as EventEnvelope;
  const at = now.toISOString();
  const id = idAt(new Date(record.timestamp), 'delivery', record.id, webhook.id);
  const isTest = record.webhookId !== undefined;
  const isMissed = !webhook.enabled && !isTest;
  return {
    id,
    workspaceId: record.workspaceId,
    webhookId: webhook.id,
    event: record.event,
    status: isMissed ? 'failed' : 'pending',
    attempts: 0,
    maxAttempts: MAX_ATTEMPTS,
    lastError: isMissed ? 'the webhook is disabled' : null,
    errorCode: isMissed ? 'WEBHOOK_DISABLED' : null,
    responseStatus: null,
    nextRetryAt: null,
    deliveredAt: null,
    isTest,
    body: JSON.stringify(webhook.kind === 'chat' ? chatMessage(envelope) : envelope),
    leaseUntil: null,
    claim: null,
    heldUntil: null,
    ...(isMissed ? OVER : wokenAt({ id }, now, now)),
    createdAt: at,
    updatedAt: at,
  };
}
