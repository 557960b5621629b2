import { randomBytes } from 'node:crypto';
import { pagePolicy } from '../../../shared/domains/boards/dashboard-pages/index.ts';

export const newNonce = (): string => randomBytes(16).toString('base64url');

/** A page is specific to one person and one moment, so caches must not store it. */
export const pageHeaders = (nonce: string, ancestors?: readonly string[]): Record<string, string> => ({
  'content-security-policy': pagePolicy(nonce, ancestors),
  'cache-control': 'no-store',
  'cross-origin-opener-policy': 'same-origin',
});

/** A page that its address alone opens: search engines must not list it. */
export const linkHeaders = (nonce: string, ancestors?: readonly string[]): Record<string, string> => ({
  ...pageHeaders(nonce, ancestors),
  'x-robots-tag': 'noindex, nofollow',
});
