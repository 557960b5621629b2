import { later } from '../../platform/storage/ids.ts';
import { wokenAt } from './next-check.ts';
import { MAX_ATTEMPTS, type StoredDelivery } from './records.ts';

/** A delivery that is over, as it goes on: id, bytes and count of attempts stay, and it has five attempts more. */
export function redelivered(delivery: StoredDelivery, now: Date): StoredDelivery {
  return {
    ...delivery,
    status: 'pending',
    maxAttempts: delivery.attempts + MAX_ATTEMPTS,
    errorCode: null,
    nextRetryAt: null,
    deliveredAt: null,
    heldUntil: null,
    ...wokenAt(delivery, now, now),
    updatedAt: later(delivery.updatedAt, now),
  };
}
