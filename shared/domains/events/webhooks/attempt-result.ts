import type { DeliveryError } from './records.ts';
import type { SendOutcome } from './send.ts';

/** What follows from an attempt: delivered, retry after a delay, or failed for good. */
export type AttemptResult =
  | { next: 'delivered'; status: number }
  | { next: 'failed'; error: DeliveryError; reason: string; status: number | null }
  | { next: 'retry'; reason: string; status: number | null; delayMs: number };

const MAX_RETRY_AFTER_MS = 2 * 60 * 60 * 1000;

/**
 * Only 2xx is success. 410 means that the receiver no longer exists. Every other status is retried while attempts are
 * left, and not before the receiver's `Retry-After`.
 */
export function check(
  outcome: SendOutcome,
  context: { attempt: number; maxAttempts: number; backoffSeconds: readonly number[]; now: Date; random: () => number },
): AttemptResult {
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
  const backoffMs = (backoffSeconds[attempt - 1] ?? backoffSeconds.at(-1) ?? 1) * 1000;
  const minimumMs = outcome.kind === 'answer' ? retryAfterMs(outcome.retryAfter, context.now) : 0;
  // The jitter only adds: the documented minimum holds, and deliveries that fail together do not retry together.
  const delayMs = Math.max(backoffMs * (1 + 0.1 * context.random()), minimumMs);
  return { next: 'retry', reason, status, delayMs };
}

/** Parses seconds or an HTTP date; at most two hours. */
function retryAfterMs(value: string | undefined, now: Date): number {
  if (value === undefined) return 0;
  const wait = /^\d+$/.test(value.trim()) ? Number(value) * 1000 : Date.parse(value) - now.getTime();
  return Number.isFinite(wait) ? Math.min(Math.max(wait, 0), MAX_RETRY_AFTER_MS) : 0;
}
