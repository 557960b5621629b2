import {
  type DeliveryError,
  isBreakerOpen,
  MAX_HOLD_MS,
  type StoredDelivery,
  type StoredWebhook,
  type WebhookHealth,
} from '../../../../shared/domains/webhooks/index.ts';
/** What may be done with a delivery that is due. */
export type Passage =
  | { kind: 'attempt' }
  /** An attempt only if it is the one of this minute that an open breaker lets through; held until then otherwise. */
  | { kind: 'probe'; until: string }
  /** Waits for its webhook without using up an attempt, and is given up at `until`. */
  | { kind: 'hold'; until: string }
  | { kind: 'fail'; error: DeliveryError; reason: string };

const ATTEMPT: Passage = { kind: 'attempt' };

/** Decides from what is stored alone; a test delivery asks neither whether its webhook is enabled nor how it is doing. */
export function passageOf(
  delivery: StoredDelivery,
  { webhook, health }: { webhook?: StoredWebhook; health: WebhookHealth },
  now: Date,
): Passage {
  if (!webhook) return { kind: 'fail', error: 'WEBHOOK_DELETED', reason: 'the webhook was deleted' };
  if (delivery.attempts >= delivery.maxAttempts) {
    // The sender of the last attempt died before it wrote what came of it.
    const reason = delivery.lastError ?? 'the last attempt has no known outcome';
    return { kind: 'fail', error: 'ATTEMPTS_EXHAUSTED', reason };
  }
  if (delivery.isTest) return ATTEMPT;
  if (!webhook.enabled) return whileDisabled(webhook, now);
  if (!isBreakerOpen(health)) return ATTEMPT;

  const until = delivery.heldUntil ?? new Date(now.getTime() + MAX_HOLD_MS).toISOString();
  if (Date.parse(until) <= now.getTime()) {
    return { kind: 'fail', error: 'ATTEMPTS_EXHAUSTED', reason: 'the webhook failed for 24 hours' };
  }
  const isProbeDue = health.probeAt === null || Date.parse(health.probeAt) <= now.getTime();
  return { kind: isProbeDue ? 'probe' : 'hold', until };
}

/** Switched off by hand, it may be meant to go on: for a day. */
function whileDisabled(webhook: StoredWebhook, now: Date): Passage {
  const until = Date.parse(webhook.disabledAt ?? '') + MAX_HOLD_MS;
  if (webhook.disabledReason !== 'manual' || until <= now.getTime()) {
    return { kind: 'fail', error: 'WEBHOOK_DISABLED', reason: 'the webhook is disabled' };
  }
  return { kind: 'hold', until: new Date(until).toISOString() };
}
