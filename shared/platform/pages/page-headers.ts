import { randomBytes } from 'node:crypto';
import { type PolicyChoices, pagePolicy } from './page-policy.ts';

export const newNonce = (): string => randomBytes(16).toString('base64url');

/** A page is specific to one person and one moment, so caches must not store it. */
export const pageHeaders = (nonce: string, choices?: PolicyChoices): Record<string, string> => ({
  'content-security-policy': pagePolicy(nonce, choices),
  'cache-control': 'no-store',
  'cross-origin-opener-policy': 'same-origin',
});
