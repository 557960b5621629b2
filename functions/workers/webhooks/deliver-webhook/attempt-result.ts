import type { DeliveryError } from '../../../../shared/domains/webhooks/index.ts';
import type { SendOutcome } from './send.ts';

/** What happens to a delivery after an attempt. */
export type Verdict =
  | { next: 'delivered'; status: number }
  | { next: 'failed'; error: DeliveryError; reason: string; status: number | null }
  | { next: 'retry'; reason: string; status: number | null; delayMs: number };

const MAX_RETRY_AFTER_MS = 2 * 60 * 60 * 1000;

/**
 * 2xx is success and nothing else is. 410 says that the receiver is gone for good; everything else is tried again while
 * attempts are left, not before the receiver's `Retry-After`.
 */
export function check(
  outcome: SendOutcome,
  context: { attempt: number; maxAttempts: number; backoffSeconds: readonly number[]; now: Date; random: () => number },
): Verdict {
  if (outcome.kind === 'answer' && outcome.status >= 200 && outcome.status < 300) {
    return { next: 'delivered', status: outcome.status };
  }
  const status = outcome.kind === 'answer' ? outcome.status : null;
  const reason = outcome.kind === 'answer' ? `the receiver answered ${outcome.status}` : outcome.reason;
  if (status === 410) return { next: 'failed', error: 'GONE', reason, status };
  if (context.attempt >= context.maxAttempts) {
    return { next: 'failed', error: 'ATTEMPTS_EXHAUSTED', reason, status };
  }
  const { backoffSeconds, attempt } = context;
  const own = (backoffSeconds[attempt - 1] ?? backoffSeconds.at(-1) ?? 1) * 1000;
  const asked = outcome.kind === 'answer' ? retryAfterMs(outcome.retryAfter, context.now) : 0;
  // Upward only: the promised minimum holds, and many failing at once do not come back at once.
  const delayMs = Math.max(own * (1 + 0.1 * context.random()), asked);
  return { next: 'retry', reason, status, delayMs };
}

/** Seconds or an HTTP date, at most two hours ahead. */
function retryAfterMs(value: string | undefined, now: Date): number {
  if (value === undefined) return 0;
  const wait = /^\d+$/.test(value.trim()) ? Number(value) * 1000 : Date.parse(value) - now.getTime();
  return Number.isFinite(wait) ? Math.min(Math.max(wait, 0), MAX_RETRY_AFTER_MS) : 0;
}
