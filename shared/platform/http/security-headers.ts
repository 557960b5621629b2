const A_YEAR_SECONDS = 365 * 24 * 60 * 60;

/**
 * Browsers may only read a reply: no page may frame it, it loads nothing, its type is not guessed, links from it send
 * no referrer, and it is requested over TLS only. Browsers ignore the last header over plain HTTP.
 */
export const SECURITY_HEADERS = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'x-frame-options': 'DENY',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'strict-transport-security': `max-age=${A_YEAR_SECONDS}`,
} as const;
