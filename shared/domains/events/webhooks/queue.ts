import { type MessageQueue, messageQueue } from '../../../platform/messaging/message-queue.ts';

/** A queue message only identifies what to check. It may arrive twice, late, or after the work has ended. */
export type DeliveryMessage =
  /** `waits` counts how often all permits of the webhook were in use. */
  | { kind: 'deliver'; workspaceId: string; webhookId: string; deliveryId: string; waits?: number }
  /** The webhook may be ready for its held deliveries. */
  | { kind: 'check'; workspaceId: string; webhookId: string }
  /** Delivers failed deliveries of a period again, page by page; `after` is the last id of the previous page. */
  | {
      kind: 'replay';
      workspaceId: string;
      webhookId: string;
      from: string;
      to: string;
      requestedAt: string;
      after?: string;
    };

export type WebhookQueue = MessageQueue<DeliveryMessage>;

export const webhookQueue = (url: string): WebhookQueue => messageQueue<DeliveryMessage>(url);

/** Deliveries to slow webhooks have their own queue and senders. */
export const LANES = ['main', 'slow'] as const;
export type Lane = (typeof LANES)[number];

/** The queue of each lane; lanes share no senders. */
export type WebhookLanes = Record<Lane, WebhookQueue>;

export const webhookLanes = (urls: Record<Lane, string>): WebhookLanes => ({
  main: webhookQueue(urls.main),
  slow: webhookQueue(urls.slow),
});
