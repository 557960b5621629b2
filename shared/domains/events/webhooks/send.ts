import type { Readable } from 'node:stream';
import { DataError } from '../../../platform/errors/data-error.ts';
import { AddressBlocked, type AddressGuard } from '../../../platform/net/address-guard.ts';
import { webhookSchemes } from '../../../platform/net/guard-from-environment.ts';
import { guardedRequest } from '../../../platform/net/guarded-request.ts';

/**
 * The outcome of one HTTP request: a response, or the reason for its absence. Never contains any of the response body.
 */
export type SendOutcome =
  | { kind: 'answer'; status: number; retryAfter: string | undefined }
  | { kind: 'failure'; reason: string };

/** The response body is read to free the connection, at most this far, and discarded. */
const MAX_RESPONSE_BYTES = 64 * 1024;

/**
 * Posts the body once. The guard checks the address that is dialled; redirects are not followed; the timeout covers the
 * whole exchange including the response body; webhooks share no connection. Throws `AddressBlocked`.
 */
export async function send(
  guard: AddressGuard,
  target: { url: URL; headers: Record<string, string>; body: string; timeoutMs: number },
): Promise<SendOutcome> {
  try {
    const answer = await guardedRequest(guard, {
      method: 'POST',
      url: target.url.href,
      schemes: webhookSchemes(),
      headers: target.headers,
      body: target.body,
      timeoutMs: target.timeoutMs,
      maxBytes: MAX_RESPONSE_BYTES,
    });
    await drain(answer.body);
    return { kind: 'answer', status: answer.status, retryAfter: answer.headers['retry-after'] };
  } catch (error) {
    if (error instanceof AddressBlocked || !(error instanceof DataError)) throw error;
    return { kind: 'failure', reason: error.message };
  }
}

async function drain(body: Readable): Promise<void> {
  try {
    for await (const _chunk of body);
  } catch (error) {
    if (!(error instanceof DataError && error.code === 'RESULT_TOO_LARGE')) throw error;
  }
}
