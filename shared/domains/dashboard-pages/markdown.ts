import MarkdownIt from 'markdown-it';
import { Html } from '../../platform/text/html.ts';

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
// The page has headings of the first and the second level, and the policy of the page allows no style attributes.
for (const rule of ['heading_open', 'heading_close'] as const) {
  markdown.renderer.rules[rule] = (tokens, index, options, _environment, renderer) => {
    const token = tokens[index]!;
    token.tag = `h${Math.min(6, Number(token.tag.slice(1)) + 2)}`;
    return renderer.renderToken(tokens, index, options);
  };
}
for (const rule of ['th_open', 'td_open'] as const) {
  markdown.renderer.rules[rule] = (tokens, index, options, _environment, renderer) => {
    const token = tokens[index]!;
    token.attrs = null;
    return renderer.renderToken(tokens, index, options);
  };
}

/** The text of a card as HTML. */
export const renderMarkdown = (text: string): Html => Html.trusted(markdown.render(text));
