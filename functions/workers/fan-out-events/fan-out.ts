import type { EventEnvelope } from '../../../shared/events/catalogue.ts';
import type { OutboxRecord } from '../../../shared/events/outbox.ts';
import { idFrom } from '../../../shared/storage/ids.ts';
import type { Enqueue } from '../../../shared/webhooks/queue.ts';
import { MAX_ATTEMPTS, type StoredDelivery, type StoredWebhook } from '../../../shared/webhooks/records.ts';
import type { DeliveryRepository, WebhookRepository } from '../../../shared/webhooks/repository.ts';
import { chatMessage } from './chat-message.ts';

export interface FanOutDeps {
  webhooks: WebhookRepository;
  deliveries: DeliveryRepository;
  enqueue: Enqueue;
  now: () => Date;
}

/**
 * Makes one delivery per subscribed webhook. The delivery's id follows from event and webhook, so an event that is read
 * twice from the stream is delivered under one id; the queue may hear of it twice, which its sender absorbs.
 */
export async function fanOut(deps: FanOutDeps, record: OutboxRecord): Promise<void> {
  for (const webhook of await subscribers(deps, record)) {
    const delivery = await deps.deliveries.create(newDelivery(record, webhook, deps.now()));
    await deps.enqueue({ workspaceId: delivery.workspaceId, deliveryId: delivery.id });
  }
}

async function subscribers(deps: FanOutDeps, record: OutboxRecord): Promise<StoredWebhook[]> {
  const { workspaceId, webhookId, event } = record;
  if (webhookId) {
    const webhook = await deps.webhooks.get(workspaceId, webhookId);
    return webhook ? [webhook] : [];
  }
  const all: StoredWebhook[] = [];
  for (;;) {
    const page = await deps.webhooks.list(workspaceId, { limit: 200, offset: all.length });
    all.push(...page.items);
    if (page.items.length < 200) break;
  }
  return all.filter(({ enabled, events }) => enabled && (events.includes(event) || events.includes('*')));
}

function newDelivery(record: OutboxRecord, webhook: StoredWebhook, now: Date): StoredDelivery {
  const envelope = { event: record.event, timestamp: record.timestamp, data: record.data } as EventEnvelope;
  const at = now.toISOString();
  return {
    id: idFrom('delivery', record.id, webhook.id),
    workspaceId: record.workspaceId,
    webhookId: webhook.id,
    event: record.event,
    status: 'pending',
    attempts: 0,
    maxAttempts: MAX_ATTEMPTS,
    lastError: null,
    errorCode: null,
    responseStatus: null,
    nextRetryAt: null,
    deliveredAt: null,
    isTest: record.webhookId !== undefined,
    body: JSON.stringify(webhook.kind === 'chat' ? chatMessage(envelope) : envelope),
    leaseUntil: null,
    createdAt: at,
    updatedAt: at,
  };
}
