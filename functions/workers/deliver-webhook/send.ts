import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { AddressGuard } from '../../../shared/net/address-guard.ts';

/** What came of one HTTP request: an answer, or why there was none. Never anything of the answer's body. */
export type SendOutcome =
  | { kind: 'answer'; status: number; retryAfter: string | undefined }
  | { kind: 'failure'; reason: string };

const MOST_ANSWER_BYTES = 64 * 1024;

/**
 * Posts the body once. The address is checked on what is really dialled; redirects are not followed; the timeout spans
 * the whole exchange, the answer's body included; no connection is shared between webhooks. Throws `AddressBlocked`.
 */
export async function send(
  guard: AddressGuard,
  target: { url: URL; headers: Record<string, string>; body: string; timeoutMs: number },
): Promise<SendOutcome> {
  const { url, headers, body, timeoutMs } = target;
  const signal = AbortSignal.timeout(timeoutMs);
  const open = url.protocol === 'https:' ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    const request = open(url, {
      method: 'POST',
      headers: { ...headers, 'content-length': String(Buffer.byteLength(body)) },
      agent: false,
      lookup: guard.lookup,
      signal,
    });
    request.on('response', (response) => {
      const status = response.statusCode ?? 0;
      const retryAfter = response.headers['retry-after'];
      drain(response).then(
        () => resolve({ kind: 'answer', status, retryAfter }),
        (error: unknown) => resolve({ kind: 'failure', reason: reasonOf(error, signal, timeoutMs) }),
      );
    });
    request.on('error', (error) => {
      if ((error as { code?: string }).code === 'ADDRESS_BLOCKED') reject(error);
      else resolve({ kind: 'failure', reason: reasonOf(error, signal, timeoutMs) });
    });
    request.end(body);
  });
}

/** Reads the answer to its end, or enough of it: what a receiver says beyond its status is nobody's business. */
async function drain(response: IncomingMessage): Promise<void> {
  let bytes = 0;
  for await (const chunk of response) {
    bytes += (chunk as Buffer).length;
    if (bytes > MOST_ANSWER_BYTES) break;
  }
  response.destroy();
}

function reasonOf(error: unknown, signal: AbortSignal, timeoutMs: number): string {
  if (signal.aborted) return `no complete answer within ${timeoutMs} ms`;
  const code = (error as { code?: string }).code ?? (error as Error).name;
  return `connection failed: ${code}`.slice(0, 500);
}
