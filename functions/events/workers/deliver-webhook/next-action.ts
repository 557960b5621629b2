import {
  type DeliveryError,
  isBreakerOpen,
  MAX_HOLD_MS,
  type StoredDelivery,
  type StoredWebhook,
  type WebhookHealth,
} from '../../../../shared/domains/events/webhooks/index.ts';
/** What happens next with a delivery that is due. */
export type NextAction =
  | { kind: 'attempt' }
  /** Attempt the delivery if it wins the one probe per minute of an open breaker; otherwise hold it until then. */
  | { kind: 'probe'; until: string }
  /** Wait for the webhook without using up an attempt; fail at `until`. */
  | { kind: 'hold'; until: string }
  | { kind: 'fail'; error: DeliveryError; reason: string };

const ATTEMPT: NextAction = { kind: 'attempt' };

/** Decides from stored state alone. Test deliveries ignore whether the webhook is enabled and healthy. */
export function nextAction(
  delivery: StoredDelivery,
  { webhook, health }: { webhook?: StoredWebhook; health: WebhookHealth },
  now: Date,
): NextAction {
  if (!webhook) return { kind: 'fail', error: 'WEBHOOK_DELETED', reason: 'the webhook was deleted' };
  if (delivery.attempts >= delivery.maxAttempts) {
    // The sender of the last attempt crashed before it stored the outcome.
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

/** A webhook that was disabled by hand may be enabled again soon, so its deliveries wait for a day. */
function whileDisabled(webhook: StoredWebhook, now: Date): NextAction {
  const until = Date.parse(webhook.disabledAt ?? '') + MAX_HOLD_MS;
  if (webhook.disabledReason !== 'manual' || until <= now.getTime()) {
    return { kind: 'fail', error: 'WEBHOOK_DISABLED', reason: 'the webhook is disabled' };
  }
  return { kind: 'hold', until: new Date(until).toISOString() };
}
