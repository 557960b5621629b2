import {
  HEALTHY,
  type StoredDelivery,
  type StoredWebhook,
  type WebhookHealth,
  type WebhookRepository,
} from '../../../../shared/domains/events/webhooks/index.ts';
import { AppError } from '../../../../shared/platform/errors/app-error.ts';
import { instantOf } from '../../../../shared/platform/storage/ids.ts';
import type { Delivery, Webhook } from '../schemas.ts';

/** The webhook as the API returns it: whether it has a secret and which headers it has, without their values. */
export function showWebhook(stored: StoredWebhook, health: WebhookHealth = HEALTHY): Webhook {
  const {
    sealedSecret,
    sealedHeaders: _headers,
    sealedPreviousSecret: _previous,
    previousSecretUntil: _until,
    headerNames,
    ...webhook
  } = stored;
  const { consecutiveFailures, lastDeliveryAt } = health;
  return {
    ...webhook,
    headers: Object.fromEntries(headerNames.map((name) => [name, '******'])),
    hasSecret: sealedSecret !== undefined,
    consecutiveFailures,
    lastDeliveryAt,
  };
}

export function showDelivery(stored: StoredDelivery): Delivery {
  const {
    workspaceId: _workspace,
    body: _body,
    leaseUntil: _lease,
    claim: _claim,
    heldUntil: _held,
    due: _due,
    dueAt: _dueAt,
    updatedAt: _updated,
    ...delivery
  } = stored;
  // The instant of the event, by which deliveries are listed and replayed; the record was made a moment later.
  return { ...delivery, createdAt: instantOf(stored.id).toISOString() };
}

export async function findWebhook(
  deps: { webhooks: WebhookRepository },
  named: { workspaceId: string; id: string },
): Promise<StoredWebhook> {
  const webhook = await deps.webhooks.get(named.workspaceId, named.id);
  if (!webhook) throw new AppError('WEBHOOK_NOT_FOUND');
  return webhook;
}
