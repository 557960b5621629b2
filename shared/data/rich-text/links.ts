const SCHEMES = ['http:', 'https:', 'mailto:'];
/** Parsers of addresses skip white space, so that `java\nscript:` would be another scheme than it seems. */
const STARTS = /^(https?:\/\/|mailto:)[^\s]+$/i;

/** Whether a link leads to a page or a mail address, and to nothing else. */
export function isSafeLink(href: string): boolean {
  const url = STARTS.test(href) && href.isWellFormed() ? URL.parse(href) : null;
  return url !== null && SCHEMES.includes(url.protocol);
}
