import { type Key, workspaceKey } from '../../platform/storage/keys.ts';

/** What names a delivery. Ids begin with the time of the event, so a webhook's deliveries lie in their order. */
export interface DeliveryName {
  workspaceId: string;
  webhookId: string;
  deliveryId: string;
}

export const deliveryKey = ({ workspaceId, webhookId, deliveryId }: DeliveryName): Key =>
  workspaceKey(workspaceId, `DELIVERY#${webhookId}`, deliveryId);

/** The body of a delivery whose record would be large with it. */
export const deliveryBodyKey = ({ workspaceId, webhookId, deliveryId }: DeliveryName): Key =>
  workspaceKey(workspaceId, `DELIVERY-BODY#${webhookId}`, deliveryId);

/** Beside the webhook, so that one query reads both. */
export const healthKey = (workspaceId: string, webhookId: string): Key =>
  workspaceKey(workspaceId, 'WEBHOOK', `${webhookId}#HEALTH`);

/** One partition of the due index takes a thousand writes a second; open deliveries are spread over several. */
export const DELIVERY_SHARDS = 8;

export const dueDelivery = (shard: number): string => `delivery#${shard}`;

export const shardOf = (deliveryId: string): number => Number.parseInt(deliveryId.slice(-2), 16) % DELIVERY_SHARDS;

/** Deliveries that wait for their webhook to work, or to be enabled, again. */
export const heldDeliveries = (webhookId: string): string => `webhook-held#${webhookId}`;

/** Webhooks with deliveries that are held. */
export const WEBHOOK_CHECK = 'webhook-care';

/** Beside the webhook too: that its deliveries of a period are looked after together. */
export const watchKey = (workspaceId: string, webhookId: string, period: string): Key =>
  workspaceKey(workspaceId, 'WEBHOOK', `${webhookId}#WATCH#${period}`);

/** Webhooks whose deliveries of a period are looked after together. */
export const WEBHOOK_WATCH = 'webhook-watch';
