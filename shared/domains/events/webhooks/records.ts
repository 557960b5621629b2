import type { ReceiverSecrets } from './receiver-secrets.ts';

export const WEBHOOK_KINDS = ['generic', 'chat'] as const;
export type WebhookKind = (typeof WEBHOOK_KINDS)[number];

export const DISABLED_REASONS = ['manual', 'failing', 'gone', 'blocked'] as const;
export type DisabledReason = (typeof DISABLED_REASONS)[number];

/**
 * A webhook as stored. Its secret and headers are encrypted (`shared/platform/crypto/secret-box.ts`), because both may
 * be credentials.
 */
export interface StoredWebhook extends ReceiverSecrets {
  id: string;
  workspaceId: string;
  name: string;
  url: string;
  kind: WebhookKind;
  events: string[];
  enabled: boolean;
  disabledReason: DisabledReason | null;
  disabledAt: string | null;
  createdBy: string;
  createdAt: string;
  updatedAt: string;
  revision: number;
}

export const DELIVERY_STATUSES = ['pending', 'delivering', 'retrying', 'delivered', 'failed'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

export const DELIVERY_ERRORS = [
  'ATTEMPTS_EXHAUSTED',
  'BLOCKED_TARGET',
  'GONE',
  'WEBHOOK_DISABLED',
  'WEBHOOK_DELETED',
  'INVALID_URL',
] as const;
export type DeliveryError = (typeof DELIVERY_ERRORS)[number];

/** The maximum number of HTTP requests for a delivery, even after crashes and repeated messages. */
export const MAX_ATTEMPTS = 5;

/** How long a delivery is stored and can be delivered again. */
export const DELIVERY_RETENTION_SECONDS = 30 * 24 * 60 * 60;

/** An event for one webhook. The record controls the attempts; queue messages only start the sender. */
export interface StoredDelivery {
  id: string;
  workspaceId: string;
  webhookId: string;
  event: string;
  status: DeliveryStatus;
  attempts: number;
  maxAttempts: number;
  lastError: string | null;
  errorCode: DeliveryError | null;
  responseStatus: number | null;
  nextRetryAt: string | null;
  deliveredAt: string | null;
  isTest: boolean;
  /** The exact body of every attempt; null if it is a separate item. */
  body: string | null;
  /** The end of the lease of the sender, during an attempt. */
  leaseUntil: string | null;
  /** Identifies the sender of the latest attempt, so that it recognizes its own write after a lost response. */
  claim: string | null;
  /** When a delivery fails that is held, or was held since its last attempt. */
  heldUntil: string | null;
  /** The partition of the due index and the time of the next check; null if the delivery has ended or is watched. */
  due: string | null;
  dueAt: string | null;
  createdAt: string;
  updatedAt: string;
}

export const OPEN_STATUSES = ['pending', 'delivering', 'retrying'] as const satisfies DeliveryStatus[];

export function isOpen({ status }: Pick<StoredDelivery, 'status'>): boolean {
  return OPEN_STATUSES.some((open) => open === status);
}
