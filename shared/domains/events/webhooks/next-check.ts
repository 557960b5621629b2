import { dueDelivery, heldDeliveries, shardOf } from './keys.ts';
import type { StoredDelivery } from './records.ts';

/** An open delivery that is overdue for this long counts as lost by the queue. */
const LOST_AFTER_MS = 60_000;
/** The longest delay of a queue message. */
export const MAX_DELAY_SECONDS = 900;

type NextCheck = Pick<StoredDelivery, 'due' | 'dueAt'>;

/**
 * When the sweep checks a delivery whose next attempt is due at `at`. Up to the longest delay the delivery has a queue
 * message, and the sweep checks it when that message seems lost. Beyond it, the sweep sends the message a minute early.
 */
export function nextCheckAt(delivery: Pick<StoredDelivery, 'id'>, at: Date, now: Date): NextCheck {
  const isFar = at.getTime() - now.getTime() > MAX_DELAY_SECONDS * 1000;
  const checkAt = at.getTime() + (isFar ? -LOST_AFTER_MS : LOST_AFTER_MS);
  return { due: dueDelivery(shardOf(delivery.id)), dueAt: new Date(checkAt).toISOString() };
}

/** A held delivery is not checked until its webhook is ready. The index sorts held deliveries by their expiry. */
export function heldCheck(delivery: Pick<StoredDelivery, 'webhookId'>, until: string): NextCheck {
  return { due: heldDeliveries(delivery.webhookId), dueAt: until };
}

/** For a delivery that has ended or is covered by a watch (`watch.ts`). */
export const NO_CHECK: NextCheck = { due: null, dueAt: null };
