export interface PolicyChoices {
  /** The pages that may frame the page; by default, none may. */
  ancestors?: readonly string[];
  /** Other origins that the scripts of the page may send requests to. */
  connect?: readonly string[];
  /** The policies by which its scripts may parse markup. */
  trustedTypes?: readonly string[];
}

/**
 * Pages run scripts and load styles of their own origin only. `nonce` admits style elements, such as the one with the
 * places of the cards of a dashboard and the colors of its theme.
 */
export const pagePolicy = (
  nonce: string,
  { ancestors = [], connect = [], trustedTypes = ['page'] }: PolicyChoices = {},
): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self'",
    `connect-src ${["'self'", ...connect].join(' ')}`,
    "form-action 'self'",
    "base-uri 'none'",
    `frame-ancestors ${ancestors.join(' ') || "'none'"}`,
    "require-trusted-types-for 'script'",
    `trusted-types ${trustedTypes.join(' ')}`,
  ].join('; ');
