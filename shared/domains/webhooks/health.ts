/** How a webhook has been doing. Kept apart from the webhook, so that attempts and people do not change one item. */
export interface WebhookHealth {
  /** Attempts that failed since one succeeded. */
  consecutiveFailures: number;
  failingSince: string | null;
  lastFailureAt: string | null;
  lastSuccessAt: string | null;
  /** To five minutes while all goes well: not every success is written down. */
  lastDeliveryAt: string | null;
  /** While the breaker is open: when the next attempt may try whether the receiver is back. */
  probeAt: string | null;
  /** When a delivery was last held back. */
  heldAt: string | null;
  /** Since it answered late, or not at all: until when its deliveries are kept apart from others, at least. */
  slowUntil: string | null;
  /** When it first answered well since its address was set, a test included. */
  answeredAt: string | null;
}

export const HEALTHY: WebhookHealth = {
  consecutiveFailures: 0,
  failingSince: null,
  lastFailureAt: null,
  lastSuccessAt: null,
  lastDeliveryAt: null,
  probeAt: null,
  heldAt: null,
  slowUntil: null,
  answeredAt: null,
};

const BREAKER_OPENS_AT = 10;
export const PROBE_EVERY_MS = 60_000;
/** What is held back is given up after this long. */
export const LONGEST_HOLD_MS = 24 * 60 * 60 * 1000;

const DEAD_AFTER_MS = 5 * 24 * 60 * 60 * 1000;
const DEAD_FAILURES = 20;
const DEAD_SPREAD_MS = 12 * 60 * 60 * 1000;
const SUCCESS_NOTED_EVERY_MS = 5 * 60_000;

/** An attempt that is under way for so long, whatever comes of it, is a late one. */
export const LATE_AFTER_MS = 2_000;
const SLOW_FOR_MS = 5 * 60_000;
const SLOWNESS_NOTED_EVERY_MS = 60_000;

/** After ten failures in a row a receiver is spared: one attempt a minute tries whether it is back. */
export function isBreakerOpen(health: WebhookHealth): boolean {
  return health.consecutiveFailures >= BREAKER_OPENS_AT;
}

/**
 * Nothing has arrived for five days, and not for want of trying: twenty failures over half a day at least, so that
 * neither a short outage after quiet days nor a burst of events switches a webhook off.
 */
export function isDead(health: WebhookHealth, now: Date): boolean {
  const { consecutiveFailures, failingSince, lastFailureAt, lastSuccessAt } = health;
  if (failingSince === null || lastFailureAt === null || consecutiveFailures < DEAD_FAILURES) return false;
  return (
    now.getTime() - Date.parse(lastSuccessAt ?? failingSince) >= DEAD_AFTER_MS &&
    Date.parse(lastFailureAt) - Date.parse(failingSince) >= DEAD_SPREAD_MS
  );
}

/** A success is written down when it ends failures, and every five minutes. */
export function isWorthNoting(health: WebhookHealth, success: Date): boolean {
  if (health.consecutiveFailures > 0 || health.lastDeliveryAt === null || health.answeredAt === null) return true;
  return success.getTime() - Date.parse(health.lastDeliveryAt) >= SUCCESS_NOTED_EVERY_MS;
}

/** It was late less than five minutes ago, or has not answered well since it was: one that hangs does so until then. */
export function isSlow({ slowUntil, consecutiveFailures }: WebhookHealth, now: Date): boolean {
  return slowUntil !== null && (Date.parse(slowUntil) > now.getTime() || consecutiveFailures > 0);
}

/** Until when an attempt that is late at `now` makes a webhook a slow one; null when that is written down already. */
export function slowFrom(health: WebhookHealth, now: Date): string | null {
  const until = now.getTime() + SLOW_FOR_MS;
  const isNoted = health.slowUntil !== null && until - Date.parse(health.slowUntil) < SLOWNESS_NOTED_EVERY_MS;
  return isNoted ? null : new Date(until).toISOString();
}
