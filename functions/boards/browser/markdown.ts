import { headingLevels, markdownParser } from '../../../shared/platform/text/markdown/parser.ts';
import { el } from './dom.ts';

const parser = markdownParser();
type Token = ReturnType<typeof parser.parse>[number];

/** What texts are made of. Nothing here runs code, loads files or has a style of its own. */
const TAGS = new Set([
  ...['p', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'blockquote', 'ul', 'ol', 'li', 'hr', 'br', 'pre', 'code'],
  ...['strong', 'em', 's', 'a', 'table', 'thead', 'tbody', 'tr', 'th', 'td'],
]);

/**
 * The text of a card as elements, as pages of the server show it: the same parser, and headings that begin at the given
 * level. For pages whose policy admits no markup as text.
 */
export function markdownNodes(text: string, level: number): Node {
  const tokens = parser.parse(text, {});
  const levels = headingLevels(tokens);
  const tagOf = ({ type, tag }: Token) =>
    /^heading_/.test(type) ? `h${Math.min(6, level + levels.get(tag)! - 1)}` : tag;
  const root = document.createDocumentFragment();
  fill(root, tokens, tagOf);
  return root;
}

function fill(root: ParentNode & Node, tokens: readonly Token[], tagOf: (token: Token) => string): void {
  const open: (ParentNode & Node)[] = [root];
  for (const token of tokens) {
    const parent = open.at(-1)!;
    if (token.hidden) continue;
    if (token.type === 'inline') fill(parent, token.children ?? [], tagOf);
    else if (token.nesting < 0) open.pop();
    else if (token.nesting > 0) {
      const element = elementOf(token, tagOf(token));
      parent.appendChild(element);
      open.push(element);
    } else parent.appendChild(leafOf(token));
  }
}

function elementOf(token: Token, tag: string): HTMLElement {
  if (tag !== 'a') return document.createElement(TAGS.has(tag) ? tag : 'span');
  return el('a', { href: String(token.attrGet('href') ?? ''), rel: 'noopener noreferrer', target: '_blank' });
}

function leafOf({ type, tag, content }: Token): Node {
  if (type === 'fence' || type === 'code_block') return el('pre', {}, el('code', {}, content));
  if (type === 'code_inline') return el('code', {}, content);
  // Line breaks in a text are those of its author.
  if (type === 'softbreak' || type === 'hardbreak') return el('br');
  return tag === 'hr' ? el('hr') : document.createTextNode(content);
}
