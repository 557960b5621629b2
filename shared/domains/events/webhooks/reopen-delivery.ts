import { later } from '../../../platform/storage/ids.ts';
import { nextCheckAt } from './next-check.ts';
import { MAX_ATTEMPTS, type StoredDelivery } from './records.ts';

/** Opens an ended delivery for five more attempts. Its id, its body and the number of attempts stay. */
export function reopenDelivery(delivery: StoredDelivery, now: Date): StoredDelivery {
  return {
    ...delivery,
    status: 'pending',
    maxAttempts: delivery.attempts + MAX_ATTEMPTS,
    errorCode: null,
    nextRetryAt: null,
    deliveredAt: null,
    heldUntil: null,
    ...nextCheckAt(delivery, now, now),
    updatedAt: later(delivery.updatedAt, now),
  };
}
