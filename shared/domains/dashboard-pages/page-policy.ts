/**
 * Pages run scripts and load styles of their own origin only, and no page may frame them. `nonce` admits the one style element that a
 * page has: the places of its cards, and the colors of its theme.
 */
export const pagePolicy = (nonce: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self'",
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types chart',
  ].join('; ');
