/** The public API of this domain; everything else is internal. */

export { type AttemptResult, check } from './attempt-result.ts';
export { readAttempts, recordAttempt, type StoredAttempt, shownReply } from './attempts.ts';
export { blockedError, checkTarget } from './check-target.ts';
export { type DeliveryRepository, deliveryRepository } from './deliveries.ts';
export {
  HEALTHY,
  isBreakerOpen,
  isSlow,
  LATE_AFTER_MS,
  MAX_HOLD_MS,
  PROBE_EVERY_MS,
  shouldDisable,
  slowUntilAfter,
  type WebhookHealth,
} from './health.ts';
export { type HealthStore, healthStore } from './health-store.ts';
export {
  DELIVERY_SHARDS,
  type DeliveryName,
  dueDelivery,
  heldDeliveries,
  shardOf,
  WEBHOOK_CHECK,
  WEBHOOK_WATCH,
} from './keys.ts';
export { heldCheck, MAX_DELAY_SECONDS, NO_CHECK, nextCheckAt } from './next-check.ts';
export {
  type DeliveryMessage,
  LANES,
  type Lane,
  type WebhookLanes,
  type WebhookQueue,
  webhookLanes,
  webhookQueue,
} from './queue.ts';
export {
  changedSecret,
  leavesOrigin,
  NO_PREVIOUS_SECRET,
  originIssues,
  type ReceiverSecrets,
  sealHeaders,
} from './receiver-secrets.ts';
export {
  DELIVERY_ERRORS,
  DELIVERY_STATUSES,
  type DeliveryError,
  DISABLED_REASONS,
  type DisabledReason,
  isOpen,
  MAX_ATTEMPTS,
  type StoredDelivery,
  type StoredWebhook,
  WEBHOOK_KINDS,
} from './records.ts';
export { countRedelivery } from './redelivery-limit.ts';
export { reopenDelivery } from './reopen-delivery.ts';
export { type WebhookRepository, type WebhookState, webhookRepository } from './repository.ts';
export { requestHeaders } from './request-headers.ts';
export { type SendOutcome, send } from './send.ts';
export { addWatch, isWatched, removeWatch, toWatch, watchDueAt } from './watch.ts';
