import MarkdownIt from 'markdown-it';

/** Links lead to pages and mail addresses alone. */
const SAFE_LINK = /^(https?:\/\/|mailto:)/i;

/**
 * The parser of the Markdown that people write in cards, for pages, files and emails alike. HTML in a text is shown as
 * it was written, and images, which would reach other hosts, are links or nothing.
 */
export function markdownParser(): InstanceType<typeof MarkdownIt> {
  const parser = new MarkdownIt({ html: false, linkify: false, breaks: true }).disable('image');
  parser.validateLink = (address) => SAFE_LINK.test(address.trim());
  return parser;
}

/** The levels of the headings in a text, from 1 without gaps, as those who hear it expect: `###` alone is the first. */
export function headingLevels(tokens: readonly { type: string; tag: string }[]): ReadonlyMap<string, number> {
  const tags = tokens.filter(({ type }) => type === 'heading_open').map(({ tag }) => tag);
  return new Map([...new Set(tags)].sort().map((tag, index) => [tag, index + 1]));
}
