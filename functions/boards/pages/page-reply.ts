import { pageHeaders } from '../../../shared/platform/pages/page-headers.ts';

/** A page that its address alone opens: search engines must not list it. */
export const linkHeaders = (nonce: string, ancestors: readonly string[] = []): Record<string, string> => ({
  ...pageHeaders(nonce, { ancestors }),
  'x-robots-tag': 'noindex, nofollow',
});
