import type { Readable } from 'node:stream';
import { DataError } from '../../../platform/errors/data-error.ts';
import { AddressBlocked, type AddressGuard } from '../../../platform/net/address-guard.ts';
import { webhookSchemes } from '../../../platform/net/guard-from-environment.ts';
import { guardedRequest } from '../../../platform/net/guarded-request.ts';

/**
 * The outcome of one HTTP request: a response, or the reason for its absence. The text of a response may contain what
 * was sent, credentials included.
 */
export type SendOutcome =
  | { kind: 'answer'; status: number; retryAfter: string | undefined; text?: string }
  | { kind: 'failure'; reason: string };

/** The response body is read at most this far, which also frees the connection. */
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
    const text = await read(answer.body);
    return { kind: 'answer', status: answer.status, retryAfter: answer.headers['retry-after'], text };
  } catch (error) {
    if (error instanceof AddressBlocked || !(error instanceof DataError)) throw error;
    return { kind: 'failure', reason: error.message };
  }
}

async function read(body: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of body) chunks.push(Buffer.from(chunk));
  } catch (error) {
    if (!(error instanceof DataError && error.code === 'RESULT_TOO_LARGE')) throw error;
  }
  return new TextDecoder().decode(Buffer.concat(chunks), { stream: true });
}
