import { deliveryKey } from './keys.ts';
import { DELIVERY_RETENTION_SECONDS, MAX_ATTEMPTS, type StoredDelivery } from './records.ts';

/**
 * DynamoDB bills a write by the kilobytes of the whole item, and a delivery is written at least three times. The item
 * therefore omits what its key contains, nulls and default values.
 */
export function toDeliveryItem(delivery: StoredDelivery): Record<string, unknown> {
  const { id, workspaceId, webhookId, maxAttempts, isTest, ...rest } = delivery;
  const known = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== null));
  return {
    ...deliveryKey({ workspaceId, webhookId, deliveryId: id }),
    entity: 'delivery',
    ...known,
    ...(maxAttempts === MAX_ATTEMPTS ? {} : { maxAttempts }),
    ...(isTest ? { isTest } : {}),
    expiresAt: Math.floor(Date.parse(delivery.createdAt) / 1000) + DELIVERY_RETENTION_SECONDS,
  };
}

export function toDelivery(item: Record<string, unknown>): StoredDelivery {
  const { pk, sk, entity: _entity, expiresAt: _expires, ...known } = item;
  const [, workspaceId, , webhookId] = (pk as string).split('#');
  return {
    maxAttempts: MAX_ATTEMPTS,
    isTest: false,
    lastError: null,
    errorCode: null,
    responseStatus: null,
    nextRetryAt: null,
    deliveredAt: null,
    body: null,
    leaseUntil: null,
    claim: null,
    heldUntil: null,
    due: null,
    dueAt: null,
    ...known,
    id: sk as string,
    workspaceId: workspaceId!,
    webhookId: webhookId!,
  } as StoredDelivery;
}
