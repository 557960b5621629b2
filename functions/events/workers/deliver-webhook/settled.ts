import {
  type AttemptResult,
  NO_CHECK,
  nextCheckAt,
  type StoredDelivery,
} from '../../../../shared/domains/events/webhooks/index.ts';
import { later } from '../../../../shared/platform/storage/ids.ts';

/** The delivery as stored after an attempt. */
export function settledDelivery(delivery: StoredDelivery, result: AttemptResult, now: Date): StoredDelivery {
  const base = { ...delivery, leaseUntil: null, updatedAt: later(delivery.updatedAt, now) };
  switch (result.next) {
    case 'delivered':
      return {
        ...base,
        status: 'delivered',
        responseStatus: result.status,
        lastError: null,
        deliveredAt: now.toISOString(),
        ...NO_CHECK,
      };
    case 'failed':
      return {
        ...base,
        // A blocked target never received the request, so the attempt does not count.
        attempts: delivery.attempts - (isBlocked(result.error) ? 1 : 0),
        status: 'failed',
        errorCode: result.error,
        lastError: result.reason,
        responseStatus: result.status,
        ...NO_CHECK,
      };
    case 'retry': {
      const nextRetryAt = new Date(now.getTime() + result.delayMs);
      return {
        ...base,
        status: 'retrying',
        lastError: result.reason,
        responseStatus: result.status,
        nextRetryAt: nextRetryAt.toISOString(),
        ...nextCheckAt(delivery, nextRetryAt, now),
      };
    }
  }
}

const isBlocked = (error: string): boolean => error === 'BLOCKED_TARGET' || error === 'INVALID_URL';
