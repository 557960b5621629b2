import MarkdownIt from 'markdown-it';
import { Html } from '../../../platform/text/html.ts';

/** Links lead to pages and mail addresses alone. */
const SAFE_LINK = /^(https?:\/\/|mailto:)/i;

/** HTML in a text is shown as it was written, and images, which would reach other hosts, are links or nothing. */
const markdown = new MarkdownIt({ html: false, linkify: false, breaks: true }).disable('image');
markdown.validateLink = (address) => SAFE_LINK.test(address.trim());
markdown.renderer.rules.link_open = (tokens, index, options, _environment, renderer) => {
  const token = tokens[index]!;
  token.attrSet('rel', 'noopener noreferrer');
  token.attrSet('target', '_blank');
  return renderer.renderToken(tokens, index, options);
};
// The policy of the page allows no style attributes.
for (const rule of ['th_open', 'td_open'] as const) {
  markdown.renderer.rules[rule] = (tokens, index, options, _environment, renderer) => {
    const token = tokens[index]!;
    token.attrs = null;
    return renderer.renderToken(tokens, index, options);
  };
}

/**
 * The text of a card as HTML. Its headings begin at the given level and leave none out, as those who hear a page
 * expect.
 */
export function renderMarkdown(text: string, level: number): Html {
  const tokens = markdown.parse(text, {});
  const headings = tokens.filter(({ type }) => type === 'heading_open' || type === 'heading_close');
  const levels = [...new Set(headings.map(({ tag }) => tag))].sort();
  for (const heading of headings) heading.tag = `h${Math.min(6, level + levels.indexOf(heading.tag))}`;
  return Html.trusted(markdown.renderer.render(tokens, markdown.options, {}));
}
