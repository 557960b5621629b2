import { NO_CHECK, nextCheckAt, type StoredDelivery } from '../../../../shared/domains/webhooks/index.ts';
import { later } from '../../../../shared/platform/storage/ids.ts';
import type { Verdict } from './attempt-result.ts';

/** The delivery as it is after an attempt. */
export function settledAs(delivery: StoredDelivery, verdict: Verdict, now: Date): StoredDelivery {
  const base = { ...delivery, leaseUntil: null, updatedAt: later(delivery.updatedAt, now) };
  switch (verdict.next) {
    case 'delivered':
      return {
        ...base,
        status: 'delivered',
        responseStatus: verdict.status,
        lastError: null,
        deliveredAt: now.toISOString(),
        ...NO_CHECK,
      };
    case 'failed':
      return {
        ...base,
        // A target that may not be reached was never asked: that attempt does not count.
        attempts: delivery.attempts - (isUnasked(verdict.error) ? 1 : 0),
        status: 'failed',
        errorCode: verdict.error,
        lastError: verdict.reason,
        responseStatus: verdict.status,
        ...NO_CHECK,
      };
    case 'retry': {
      const nextRetryAt = new Date(now.getTime() + verdict.delayMs);
      return {
        ...base,
        status: 'retrying',
        lastError: verdict.reason,
        responseStatus: verdict.status,
        nextRetryAt: nextRetryAt.toISOString(),
        ...nextCheckAt(delivery, nextRetryAt, now),
      };
    }
  }
}

const isUnasked = (error: string): boolean => error === 'BLOCKED_TARGET' || error === 'INVALID_URL';
