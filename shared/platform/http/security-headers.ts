const A_YEAR_SECONDS = 365 * 24 * 60 * 60;

/**
 * What a browser may do with a reply: nothing but read it. No page may frame it, it loads nothing, its type is as declared, links
 * from it carry no address, and it comes over TLS alone (which browsers ignore over plain HTTP).
 */
export const SECURITY_HEADERS = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'x-frame-options': 'DENY',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'strict-transport-security': `max-age=${A_YEAR_SECONDS}`,
} as const;
