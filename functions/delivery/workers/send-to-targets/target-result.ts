import type { TargetFailure } from '../../../../shared/domains/boards/delivery-schedules/index.ts';
import { check, MAX_ATTEMPTS, type SendOutcome } from '../../../../shared/domains/events/webhooks/index.ts';

/** What the history shows of an attempt. */
interface Seen {
  lastError: string | null;
  responseStatus: number | null;
}

export type TargetResult =
  | { next: 'end'; status: 'sent'; reason: null; seen: Seen }
  | { next: 'end'; status: 'failed'; reason: TargetFailure; seen: Seen }
  | { next: 'retry'; delayMs: number; seen: Seen };

/** Other answers from 300 to 499 say that the request is wrong, which another attempt would not change. */
const PASSING = [408, 425, 429];

/** What follows from an attempt: the rules of webhooks, but permanent errors are not tried again. */
export function targetResult(
  outcome: SendOutcome,
  context: { attempt: number; backoffSeconds: readonly number[]; now: Date; random: () => number },
): TargetResult {
  const result = check(outcome, { ...context, maxAttempts: MAX_ATTEMPTS });
  const { status: responseStatus } = result;
  if (result.next === 'delivered')
    return { next: 'end', status: 'sent', reason: null, seen: { lastError: null, responseStatus } };
  const seen = { lastError: result.reason, responseStatus };
  const failed = (reason: TargetFailure) => ({ next: 'end', status: 'failed', reason, seen }) as const;
  if (responseStatus === 410) return failed('GONE');
  if (responseStatus !== null && responseStatus < 500 && !PASSING.includes(responseStatus)) return failed('REFUSED');
  if (result.next === 'failed') return failed('ATTEMPTS_EXHAUSTED');
  return { next: 'retry', delayMs: result.delayMs, seen };
}
