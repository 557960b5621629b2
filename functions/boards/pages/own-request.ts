import { AppError } from '../../../shared/platform/errors/app-error.ts';
import { baseUrl } from '../../../shared/platform/http/base-url.ts';

/**
 * Rejects requests that other sites make a browser send. Browsers do not send the cookie with them; this check also
 * prevents other sites from signing a browser in to their own account. Programs send neither header. Throws
 * `FORBIDDEN`.
 */
export function assertOwnRequest(headers: Readonly<Record<string, string>>): void {
  const { origin, 'sec-fetch-site': site } = headers;
  const isForeignSite = site !== undefined && site !== 'same-origin' && site !== 'none';
  const ownHosts = [headers.host, new URL(baseUrl(headers)).host];
  const isForeignOrigin = origin !== undefined && !ownHosts.includes(URL.parse(origin)?.host);
  if (isForeignSite || isForeignOrigin) {
    throw new AppError('FORBIDDEN', { detail: 'This request is accepted only from the pages of the platform.' });
  }
}

export const isSecure = (headers: Readonly<Record<string, string>>): boolean => baseUrl(headers).startsWith('https:');
