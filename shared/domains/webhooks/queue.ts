import { type MessageQueue, messageQueue } from '../../platform/messaging/message-queue.ts';

/** What a queue message says: only where to look. It may come twice, late, or for something that is over. */
export type DeliveryMessage =
  /** `waits` counts how often it found all permits of its webhook in use. */
  | { kind: 'deliver'; workspaceId: string; webhookId: string; deliveryId: string; waits?: number }
  /** The webhook may be ready for what is held for it. */
  | { kind: 'care'; workspaceId: string; webhookId: string }
  /** Deliveries of a time that failed are tried again, a page at a time: those behind the id `after`. */
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

/** Deliveries to webhooks that answer late wait, and are sent, apart from the others. */
export const LANES = ['main', 'slow'] as const;
export type Lane = (typeof LANES)[number];

/** A queue for each lane; the senders behind one are none of the other's. */
export type WebhookLanes = Record<Lane, WebhookQueue>;

export const webhookLanes = (urls: Record<Lane, string>): WebhookLanes => ({
  main: webhookQueue(urls.main),
  slow: webhookQueue(urls.slow),
});
