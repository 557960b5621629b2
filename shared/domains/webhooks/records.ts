export const WEBHOOK_KINDS = ['generic', 'chat'] as const;
export type WebhookKind = (typeof WEBHOOK_KINDS)[number];

export const DISABLED_REASONS = ['manual', 'failing', 'gone', 'blocked'] as const;
export type DisabledReason = (typeof DISABLED_REASONS)[number];

/** A webhook as stored. Secret and headers are sealed (`shared/platform/crypto/secret-box.ts`): both may let one in somewhere. */
export interface StoredWebhook {
  id: string;
  workspaceId: string;
  name: string;
  url: string;
  kind: WebhookKind;
  events: string[];
  headerNames: string[];
  sealedHeaders?: string;
  sealedSecret?: string;
  /** The secret before the last change, which signs as well for a day. */
  sealedPreviousSecret?: string;
  previousSecretUntil?: string;
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

/** At most this many HTTP requests for one delivery, whatever crashes or is delivered twice. */
export const MAX_ATTEMPTS = 5;

/** How long what was delivered, or failed to be, is kept and can be delivered again. */
export const DELIVERY_KEPT_SECONDS = 30 * 24 * 60 * 60;

/** One event on its way to one webhook. The record owns the attempts; queue messages only wake the sender. */
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
  /** The exact bytes of every attempt; null when they lie in an item of their own. */
  body: string | null;
  /** While an attempt is under way: when its sender is given up. */
  leaseUntil: string | null;
  /** Names the sender of the latest attempt, so that it knows its own write when the answer to it was lost. */
  claim: string | null;
  /** When a delivery that is held, or was since its last attempt, is given up. */
  heldUntil: string | null;
  /** The partition of the due index in which it waits, and when it is looked at; null when it is over or watched. */
  due: string | null;
  dueAt: string | null;
  createdAt: string;
  updatedAt: string;
}

export const OPEN_STATUSES = ['pending', 'delivering', 'retrying'] as const satisfies DeliveryStatus[];

export function isOpen({ status }: Pick<StoredDelivery, 'status'>): boolean {
  return OPEN_STATUSES.some((open) => open === status);
}
