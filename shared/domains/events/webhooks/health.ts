/**
 * The results of recent attempts. Stored apart from the webhook, so that attempts and users do not change the same
 * item.
 */
export interface WebhookHealth {
  /** Failed attempts since the last success. */
  consecutiveFailures: number;
  failingSince: string | null;
  lastFailureAt: string | null;
  lastSuccessAt: string | null;
  /** Accurate to five minutes, because not every success is recorded. */
  lastDeliveryAt: string | null;
  /** When an open breaker allows the next attempt. */
  probeAt: string | null;
  /** When a delivery was last held. */
  heldAt: string | null;
  /** The earliest end of the time in the slow lane, after a late or missing answer. */
  slowUntil: string | null;
  /** When it first answered successfully since its URL was set, tests included. */
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

const BREAKER_FAILURES = 10;
export const PROBE_EVERY_MS = 60_000;
/** A held delivery fails after this time. */
export const MAX_HOLD_MS = 24 * 60 * 60 * 1000;

const DEAD_AFTER_MS = 5 * 24 * 60 * 60 * 1000;
const DEAD_FAILURES = 20;
const DEAD_SPREAD_MS = 12 * 60 * 60 * 1000;
const RECORD_SUCCESS_EVERY_MS = 5 * 60_000;

/** An attempt that takes longer is late, whatever its result. */
export const LATE_AFTER_MS = 2_000;
const SLOW_FOR_MS = 5 * 60_000;
const RECORD_SLOWNESS_EVERY_MS = 60_000;

/** After ten consecutive failures, only one attempt per minute checks whether the receiver is back. */
export function isBreakerOpen(health: WebhookHealth): boolean {
  return health.consecutiveFailures >= BREAKER_FAILURES;
}

/**
 * Whether to disable a webhook: no success for five days, and at least twenty failures spread over half a day. Neither
 * a short outage after quiet days nor a burst of events is enough.
 */
export function shouldDisable(health: WebhookHealth, now: Date): boolean {
  const { consecutiveFailures, failingSince, lastFailureAt, lastSuccessAt } = health;
  if (failingSince === null || lastFailureAt === null || consecutiveFailures < DEAD_FAILURES) return false;
  return (
    now.getTime() - Date.parse(lastSuccessAt ?? failingSince) >= DEAD_AFTER_MS &&
    Date.parse(lastFailureAt) - Date.parse(failingSince) >= DEAD_SPREAD_MS
  );
}

/** A success is recorded if it ends failures, and otherwise every five minutes. */
export function shouldRecordSuccess(health: WebhookHealth, success: Date): boolean {
  if (health.consecutiveFailures > 0 || health.lastDeliveryAt === null || health.answeredAt === null) return true;
  return success.getTime() - Date.parse(health.lastDeliveryAt) >= RECORD_SUCCESS_EVERY_MS;
}

/** Whether the webhook answered late in the last five minutes, or has not succeeded since. */
export function isSlow({ slowUntil, consecutiveFailures }: WebhookHealth, now: Date): boolean {
  return slowUntil !== null && (Date.parse(slowUntil) > now.getTime() || consecutiveFailures > 0);
}

/** The end of the slow time after an attempt that is late at `now`; null if it is already recorded. */
export function slowUntilAfter(health: WebhookHealth, now: Date): string | null {
  const until = now.getTime() + SLOW_FOR_MS;
  const isRecorded = health.slowUntil !== null && until - Date.parse(health.slowUntil) < RECORD_SLOWNESS_EVERY_MS;
  return isRecorded ? null : new Date(until).toISOString();
}
