import { buffer } from 'node:stream/consumers';
import type { AddressGuard, Scheme } from './address-guard.ts';
import { DECODABLE, decodedBody } from './decoded-body.ts';
import { guardedRequest } from './guarded-request.ts';
import { isFramingHeader } from './header-issues.ts';

export interface GuardedFetchOptions {
  schemes: readonly Scheme[];
  timeoutMs: number;
  /** Maximum size of a response in bytes, decoded. */
  maxBytes: number;
}

/**
 * A `fetch` for libraries that send their own requests. It uses `guardedRequest`: the address is checked when it is
 * dialled, and no redirect is followed. The response is read completely before it is returned. Fails with the same
 * errors as `guardedRequest`.
 */
export function guardedFetch(guard: AddressGuard, options: GuardedFetchOptions): typeof fetch {
  const { schemes, timeoutMs, maxBytes } = options;
  return async (input, init) => {
    const request = new Request(input, init);
    const headers = [...request.headers].filter(([name]) => !isFramingHeader(name));
    const answer = await guardedRequest(guard, {
      method: request.method,
      url: request.url,
      schemes,
      headers: { ...Object.fromEntries(headers), 'accept-encoding': DECODABLE },
      body: new Uint8Array(await request.arrayBuffer()),
      timeoutMs,
      maxBytes,
      ...(init?.signal ? { signal: init.signal } : {}),
    });
    const body = await buffer(decodedBody(answer, maxBytes));
    const type = answer.headers['content-type'];
    const retryAfter = answer.headers['retry-after'];
    return new Response(body, {
      status: answer.status,
      headers: { ...(type ? { 'content-type': type } : {}), ...(retryAfter ? { 'retry-after': retryAfter } : {}) },
    });
  };
}
