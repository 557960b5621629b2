/**
 * Pages run scripts and load styles of their own origin only. `nonce` admits the one style element that a page has: the
 * places of its cards, and the colors of its theme. Only pages of `ancestors` may frame the page; by default, no page
 * may.
 */
export const pagePolicy = (nonce: string, ancestors: readonly string[] = []): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self'",
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    `frame-ancestors ${ancestors.join(' ') || "'none'"}`,
    "require-trusted-types-for 'script'",
    'trusted-types chart page',
  ].join('; ');
