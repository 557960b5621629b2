import { deliveryKey } from './keys.ts';
import { DELIVERY_KEPT_SECONDS, MAX_ATTEMPTS, type StoredDelivery } from './records.ts';

/**
 * A write of DynamoDB is billed by the kilobyte of the whole item, and a delivery is written at least three times: what
 * the key tells, and what is null or usual, is left out of the item.
 */
export function toDeliveryItem(delivery: StoredDelivery): Record<string, unknown> {
  const { id, workspaceId, webhookId, maxAttempts, isTest, ...rest } = delivery;
  const told = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== null));
  return {
    ...deliveryKey({ workspaceId, webhookId, deliveryId: id }),
    entity: 'delivery',
    ...told,
    ...(maxAttempts === MAX_ATTEMPTS ? {} : { maxAttempts }),
    ...(isTest ? { isTest } : {}),
    expiresAt: Math.floor(Date.parse(delivery.createdAt) / 1000) + DELIVERY_KEPT_SECONDS,
  };
}

export function toDelivery(item: Record<string, unknown>): StoredDelivery {
  const { pk, sk, entity: _entity, expiresAt: _expires, ...told } = item;
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
    ...told,
    id: sk as string,
    workspaceId: workspaceId!,
    webhookId: webhookId!,
  } as StoredDelivery;
}
