import { type ClientRequest, type IncomingHttpHeaders, type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { Readable } from 'node:stream';
import { DataError } from '../errors/data-error.ts';
import { type AddressGuard, portOf, type Scheme } from './address-guard.ts';
import { byteLimit } from './byte-limit.ts';
import { isFramingHeader } from './header-issues.ts';
import { nextHop } from './redirects.ts';

export interface GuardedRequest {
  method: string;
  /** The URL as configured; only this module parses it. */
  url: string;
  schemes: readonly Scheme[];
  /** Must not contain headers that frame the request (`host`, `content-length`, `connection`, …). */
  headers?: Record<string, string>;
  body?: string | Uint8Array;
  /** Covers the whole exchange: resolving, connecting, redirects, and the response to its last byte. */
  timeoutMs: number;
  /** Maximum size of the response body in bytes, before decoding. */
  maxBytes: number;
  /** How many redirects to follow, for GET and HEAD only; without it a 3xx is the response. */
  redirects?: number;
  /** Aborts the exchange with the signal's reason. */
  signal?: AbortSignal;
}

export interface GuardedResponse {
  status: number;
  headers: IncomingHttpHeaders;
  /** The URL after redirects. */
  url: URL;
  /**
   * The body as sent, not decoded; it fails with TIMEOUT, CONNECTION_FAILED or RESULT_TOO_LARGE. Read or destroy it:
   * until then the connection stays open, for `timeoutMs` at most.
   */
  body: Readable;
}

/** A receiver may send `100 Continue` or `103 Early Hints`; an endless series of them is an attack. */
const MAX_INTERIM_RESPONSES = 20;
const MAX_HEADER_BYTES = 16 * 1024;

/**
 * Sends an HTTP request to a configured address; all such requests must use this function. It checks the URL, and on
 * every hop the address that is dialled. Connections are not shared, proxies of the environment are ignored,
 * certificates are verified. Throws AddressBlocked, or DataError TIMEOUT or CONNECTION_FAILED, whose message contains
 * nothing of the response.
 */
export async function guardedRequest(guard: AddressGuard, asked: GuardedRequest): Promise<GuardedResponse> {
  const { redirects = 0, method, timeoutMs } = asked;
  if (redirects > 0 && method !== 'GET' && method !== 'HEAD') throw new TypeError(`${method} cannot be redirected`);
  const framing = Object.keys(asked.headers ?? {}).find(isFramingHeader);
  if (framing !== undefined) throw new TypeError(`the header ${framing} is set by the connection itself`);

  const end = new AbortController();
  const timer = setTimeout(() => end.abort(tooSlow(timeoutMs)), timeoutMs);
  const cancel = () => end.abort(asked.signal?.reason);
  asked.signal?.addEventListener('abort', cancel);
  if (asked.signal?.aborted) cancel();
  const over = () => {
    clearTimeout(timer);
    asked.signal?.removeEventListener('abort', cancel);
  };
  try {
    let url = guard.readUrl(asked.url, asked);
    let headers = asked.headers ?? {};
    for (let hops = 0; ; hops += 1) {
      const answer = await exchange(guard, { ...asked, headers }, url, end.signal);
      const next = redirects > 0 ? nextHop(guard, { url, headers, schemes: asked.schemes }, answer) : undefined;
      if (!next) {
        const body = boundedBody(answer, asked.maxBytes, end.signal);
        body.once('close', over);
        return { status: answer.statusCode ?? 0, headers: answer.headers, url, body };
      }
      answer.destroy();
      if (hops === redirects) throw new DataError('CONNECTION_FAILED', `more than ${redirects} redirects`);
      ({ url, headers } = next);
    }
  } catch (error) {
    over();
    throw error;
  }
}

/** Sends one request; resolves with the headers of the response. */
function exchange(guard: AddressGuard, asked: GuardedRequest, url: URL, end: AbortSignal): Promise<IncomingMessage> {
  const { method, headers, body } = asked;
  return new Promise((resolve, reject) => {
    end.throwIfAborted();
    const open = url.protocol === 'https:' ? requestHttps : requestHttp;
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
    const request: ClientRequest = open(url, {
      method,
      headers: { ...headers, ...length },
      agent: false,
      lookup: guard.lookup(portOf(url)),
      // Overrides NODE_TLS_REJECT_UNAUTHORIZED.
      rejectUnauthorized: true,
      maxHeaderSize: MAX_HEADER_BYTES,
    });
    const stop = () => request.destroy(end.reason as Error);
    end.addEventListener('abort', stop);
    let interim = 0;
    request.on('information', () => {
      interim += 1;
      if (interim > MAX_INTERIM_RESPONSES) request.destroy(new Error('too many interim responses'));
    });
    request.on('response', resolve);
    request.on('error', (error) => reject(end.aborted ? end.reason : connectionFailure(error)));
    request.on('close', () => {
      end.removeEventListener('abort', stop);
      reject(new DataError('CONNECTION_FAILED', 'connection failed: closed without a response'));
    });
    request.end(body);
  });
}

/** The response body, limited in size and time. */
function boundedBody(answer: IncomingMessage, maxBytes: number, end: AbortSignal): Readable {
  const body = byteLimit(maxBytes, connectionFailure);
  const stop = () => body.destroy(end.reason as Error);
  body.on('close', () => {
    end.removeEventListener('abort', stop);
    answer.destroy();
  });
  answer.on('error', (error) => body.destroy(end.aborted ? (end.reason as Error) : error));
  end.addEventListener('abort', stop);
  if (end.aborted) stop();
  return answer.pipe(body);
}

const tooSlow = (timeoutMs: number) => new DataError('TIMEOUT', `no complete response within ${timeoutMs} ms`);

/** Node's error code; its message may contain addresses. */
function connectionFailure(error: Error): DataError {
  if (error instanceof DataError) return error;
  const code = (error as { code?: string }).code ?? error.message;
  return new DataError('CONNECTION_FAILED', `connection failed: ${code}`.slice(0, 500), { cause: error });
}
