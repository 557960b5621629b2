import type { IncomingMessage } from 'node:http';
import { DataError } from '../errors/data-error.ts';
import type { AddressGuard, Scheme } from './address-guard.ts';

interface Hop {
  url: URL;
  headers: Record<string, string>;
}

const REDIRECTS = new Set([301, 302, 303, 307, 308]);
/** Headers that may be sent to another host; all others may contain credentials. */
const HARMLESS = /^(accept(-.*)?|user-agent|range|if-none-match|if-modified-since)$/i;

/**
 * The target of a redirect of a GET or HEAD, checked like a configured URL; undefined if the response is not a
 * redirect. Throws AddressBlocked, or CONNECTION_FAILED for a redirect from https to http.
 */
export function nextHop(
  guard: AddressGuard,
  { url, headers, schemes }: Hop & { schemes: readonly Scheme[] },
  { statusCode = 0, headers: { location } }: Pick<IncomingMessage, 'statusCode' | 'headers'>,
): Hop | undefined {
  if (!REDIRECTS.has(statusCode) || location === undefined) return undefined;
  const parsed = URL.parse(location, url.href);
  if (!parsed) throw new DataError('CONNECTION_FAILED', 'the redirect has no valid target');
  // Fragments are not sent to servers, so the guard need not reject one here.
  parsed.hash = '';
  const next = guard.readUrl(parsed.href, { schemes });
  if (url.protocol === 'https:' && next.protocol === 'http:') {
    throw new DataError('CONNECTION_FAILED', 'the redirect leads from https to http');
  }
  if (next.origin === url.origin) return { url: next, headers };
  return { url: next, headers: Object.fromEntries(Object.entries(headers).filter(([name]) => HARMLESS.test(name))) };
}
