import { dueDelivery, heldDeliveries, shardOf } from './keys.ts';
import type { StoredDelivery } from './records.ts';

/** How long after its time an open delivery counts as forgotten by the queue. */
const FORGOTTEN_AFTER_MS = 60_000;
/** The queue delays a message by at most this much. */
export const LONGEST_DELAY_SECONDS = 900;

type Waking = Pick<StoredDelivery, 'due' | 'dueAt'>;

/**
 * When the sweep looks at a delivery whose next attempt is due at `at`. What the queue can delay so long has a message
 * and is looked at when that one seems lost; for what lies further ahead the sweep, a minute early, sends the message.
 */
export function wokenAt(delivery: Pick<StoredDelivery, 'id'>, at: Date, now: Date): Waking {
  const isFar = at.getTime() - now.getTime() > LONGEST_DELAY_SECONDS * 1000;
  const lookAt = at.getTime() + (isFar ? -FORGOTTEN_AFTER_MS : FORGOTTEN_AFTER_MS);
  return { due: dueDelivery(shardOf(delivery.id)), dueAt: new Date(lookAt).toISOString() };
}

/** It waits, without being looked at, until its webhook is ready for it; the index is in the order of giving up. */
export function heldBack(delivery: Pick<StoredDelivery, 'webhookId'>, until: string): Waking {
  return { due: heldDeliveries(delivery.webhookId), dueAt: until };
}

/** Over, or looked after together with others (`watch.ts`). */
export const UNATTENDED: Waking = { due: null, dueAt: null };
