import type { Readable } from 'node:stream';
import { DataError } from '../../../../shared/platform/errors/data-error.ts';
import { AddressBlocked, type AddressGuard } from '../../../../shared/platform/net/address-guard.ts';
import { WEBHOOK_SCHEMES } from '../../../../shared/platform/net/guard-from-environment.ts';
import { guardedRequest } from '../../../../shared/platform/net/guarded-request.ts';

/** What came of one HTTP request: an answer, or why there was none. Never anything of the answer's body. */
export type SendOutcome =
  | { kind: 'answer'; status: number; retryAfter: string | undefined }
  | { kind: 'failure'; reason: string };

/** What a receiver says beyond its status is nobody's business: it is read to its end, or this far. */
const MAX_ANSWER_BYTES = 64 * 1024;

/**
 * Posts the body once. The address is checked on what is really dialled; redirects are not followed; the timeout spans
 * the whole exchange, the answer's body included; no connection is shared between webhooks. Throws `AddressBlocked`.
 */
export async function send(
  guard: AddressGuard,
  target: { url: URL; headers: Record<string, string>; body: string; timeoutMs: number },
): Promise<SendOutcome> {
  try {
    const answer = await guardedRequest(guard, {
      method: 'POST',
      url: target.url.href,
      schemes: WEBHOOK_SCHEMES,
      headers: target.headers,
      body: target.body,
      timeoutMs: target.timeoutMs,
      maxBytes: MAX_ANSWER_BYTES,
    });
    await drained(answer.body);
    return { kind: 'answer', status: answer.status, retryAfter: answer.headers['retry-after'] };
  } catch (error) {
    if (error instanceof AddressBlocked || !(error instanceof DataError)) throw error;
    return { kind: 'failure', reason: error.message };
  }
}

async function drained(body: Readable): Promise<void> {
  try {
    for await (const _chunk of body);
  } catch (error) {
    if (!(error instanceof DataError && error.code === 'RESULT_TOO_LARGE')) throw error;
  }
}
