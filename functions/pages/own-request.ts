import { AppError } from '../../shared/platform/errors/app-error.ts';
import { baseUrl } from '../../shared/platform/http/base-url.ts';

/**
 * Rejects requests that another site makes a browser send. The cookie is not sent with them; this also keeps other sites from
 * signing a browser in to an account of theirs. Programs send neither header. Throws `FORBIDDEN`.
 */
export function assertOwnRequest(headers: Readonly<Record<string, string>>): void {
  const { origin, 'sec-fetch-site': site } = headers;
  const isForeignSite = site !== undefined && site !== 'same-origin' && site !== 'none';
  const ownHosts = [headers.host, new URL(baseUrl(headers)).host];
  const isForeignOrigin = origin !== undefined && !ownHosts.includes(URL.parse(origin)?.host);
  if (isForeignSite || isForeignOrigin) {
    throw new AppError('FORBIDDEN', { detail: 'Only the pages of the platform may send this request.' });
  }
}

export const isSecure = (headers: Readonly<Record<string, string>>): boolean => baseUrl(headers).startsWith('https:');
