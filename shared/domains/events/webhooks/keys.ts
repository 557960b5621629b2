import { type Key, workspaceKey } from '../../../platform/storage/keys.ts';

/** Identifies a delivery. Ids begin with the time of the event, which sorts the deliveries of a webhook. */
export interface DeliveryName {
  workspaceId: string;
  webhookId: string;
  deliveryId: string;
}

export const deliveryKey = ({ workspaceId, webhookId, deliveryId }: DeliveryName): Key =>
  workspaceKey(workspaceId, `DELIVERY#${webhookId}`, deliveryId);

/** A large body, which is stored apart from its delivery. */
export const deliveryBodyKey = ({ workspaceId, webhookId, deliveryId }: DeliveryName): Key =>
  workspaceKey(workspaceId, `DELIVERY-BODY#${webhookId}`, deliveryId);

/** Sorted next to the webhook, so that one query reads both. */
export const healthKey = (workspaceId: string, webhookId: string): Key =>
  workspaceKey(workspaceId, 'WEBHOOK', `${webhookId}#HEALTH`);

/** Open deliveries are spread over several partitions of the due index, as each takes a thousand writes per second. */
export const DELIVERY_SHARDS = 8;

export const dueDelivery = (shard: number): string => `delivery#${shard}`;

export const shardOf = (deliveryId: string): number => Number.parseInt(deliveryId.slice(-2), 16) % DELIVERY_SHARDS;

/** Deliveries that wait until their webhook works or is enabled again. */
export const heldDeliveries = (webhookId: string): string => `webhook-held#${webhookId}`;

/** Webhooks with held deliveries. */
export const WEBHOOK_CHECK = 'webhook-check';

/** A watch over the deliveries of a period, also sorted next to the webhook. */
export const watchKey = (workspaceId: string, webhookId: string, period: string): Key =>
  workspaceKey(workspaceId, 'WEBHOOK', `${webhookId}#WATCH#${period}`);

/** The watches of webhooks. */
export const WEBHOOK_WATCH = 'webhook-watch';
