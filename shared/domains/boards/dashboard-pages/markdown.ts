import { Html } from '../../../platform/text/html.ts';
import { headingLevels, markdownParser } from '../../../platform/text/markdown/parser.ts';

const markdown = markdownParser();
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
  const levels = headingLevels(tokens);
  for (const token of tokens)
    if (/^heading_(open|close)$/.test(token.type)) token.tag = `h${Math.min(6, level + levels.get(token.tag)! - 1)}`;
  return Html.trusted(markdown.renderer.render(tokens, markdown.options, {}));
}
