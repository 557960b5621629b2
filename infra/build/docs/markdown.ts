import GithubSlugger from 'github-slugger';
import MarkdownIt, { type Token } from 'markdown-it';
import { escapeHtml, highlight } from './highlight.ts';

export interface Heading {
  level: 2 | 3;
  text: string;
  id: string;
}

/** The text under one heading, for the search. */
export interface Section {
  /** The id of its heading; empty before the first heading. */
  id: string;
  title: string;
  text: string;
}

export interface RenderedGuide {
  title: string;
  /** Its first paragraph as plain text. */
  summary: string;
  html: string;
  headings: Heading[];
  sections: Section[];
}

export interface GuideLinks {
  /** The URL of a file that the guide links to by path; undefined if the documentation does not include it. */
  page(path: string): string | undefined;
  /** The URL of an image that the guide shows by path; undefined if there is none. */
  image(path: string): string | undefined;
  /** The URL of an operation in the reference, such as that of `GET /api/pipelines/{id}`. */
  operation(text: string): string | undefined;
}

/** Renders a guide as HTML. Its first heading is the title. */
export function renderGuide(source: string, links: GuideLinks): RenderedGuide {
  const markdown = new MarkdownIt();
  markdown.renderer.rules.fence = (tokens, index) => codeBlock(tokens[index]!, links);
  markdown.renderer.rules.table_open = () => '<div class="table" tabindex="0"><table>\n';
  markdown.renderer.rules.table_close = () => '</table></div>\n';
  const tokens = markdown.parse(source, {});
  for (const token of tokens) {
    if (token.children) token.children = linked(token.children, links);
    for (const child of token.children ?? []) showImage(child, links);
    alignByClass(token);
  }
  for (const [index, token] of tokens.entries()) {
    // The corner of a table names nothing.
    const isEmpty = token.type === 'th_open' && tokens[index + 1]!.content === '';
    if (isEmpty) [token.tag, tokens[index + 2]!.tag] = ['td', 'td'];
  }
  const { headings, sections, title } = outline(tokens);
  const summary = tokens[tokens.findIndex(({ type }) => type === 'paragraph_open') + 1];
  return {
    title,
    summary: summary ? plainText(summary) : '',
    html: markdown.renderer.render(tokens, markdown.options, {}),
    headings,
    sections,
  };
}

function codeBlock({ info, content }: Token, links: GuideLinks): string {
  const [language = '', ...name] = info.trim().split(' ');
  const caption = name.length > 0 ? `<figcaption>${escapeHtml(name.join(' '))}</figcaption>` : '';
  const code = highlight(content, language, links.operation);
  return `<figure class="code">${caption}<pre tabindex="0"><code>${code}</code></pre></figure>\n`;
}

/** Gives headings ids as GitHub does, and collects the text below each. */
function outline(tokens: readonly Token[]): Pick<RenderedGuide, 'headings' | 'sections' | 'title'> {
  const slugger = new GithubSlugger();
  const headings: Heading[] = [];
  const sections: Section[] = [{ id: '', title: '', text: '' }];
  let title = '';
  for (const [index, token] of tokens.entries()) {
    if (token.type === 'heading_open') {
      const text = plainText(tokens[index + 1]!);
      const id = slugger.slug(text);
      token.attrSet('id', id);
      const level = Number(token.tag.slice(1));
      if (level === 1 && title === '') title = text;
      if (level === 2 || level === 3) {
        headings.push({ level, text, id });
        sections.push({ id, title: text, text: '' });
      }
    } else if (tokens[index - 1]?.type !== 'heading_open' && (token.type === 'inline' || token.type === 'fence')) {
      sections.at(-1)!.text += `${plainText(token)} `;
    }
  }
  return { headings, sections, title };
}

function plainText({ children, content }: Token): string {
  if (!children) return content;
  return children.map((child) => (child.type.endsWith('break') ? ' ' : child.content)).join('');
}

/**
 * Rewrites links: guides to their pages, operations to the reference. Links to files outside of the documentation
 * become text.
 */
function linked(tokens: readonly Token[], links: GuideLinks): Token[] {
  const result: Token[] = [];
  let inside: 'a link' | 'a dropped link' | undefined;
  for (const token of tokens) {
    if (token.type === 'link_open') {
      const href = hrefOf(String(token.attrGet('href')), links);
      inside = href === undefined ? 'a dropped link' : 'a link';
      if (href === undefined) continue;
      token.attrSet('href', href);
    } else if (token.type === 'link_close') {
      const dropped = inside === 'a dropped link';
      inside = undefined;
      if (dropped) continue;
    }
    const operation = token.type === 'code_inline' && !inside ? links.operation(token.content) : undefined;
    result.push(...(operation === undefined ? [token] : operationLink(token, operation)));
  }
  return result;
}

function hrefOf(href: string, links: GuideLinks): string | undefined {
  if (/^(https?:|#)/.test(href)) return href;
  const [path = '', anchor] = href.split('#');
  const page = links.page(path);
  return page !== undefined && anchor !== undefined ? `${page}#${anchor}` : page;
}

function showImage(token: Token, links: GuideLinks): void {
  if (token.type !== 'image') return;
  const path = String(token.attrGet('src'));
  const src = links.image(path);
  if (src === undefined) throw new Error(`A guide shows the image ${path}, which is not in docs/.`);
  token.attrSet('src', src);
}

function operationLink(code: Token, href: string): Token[] {
  const TokenOf = code.constructor as new (type: string, tag: string, nesting: -1 | 0 | 1) => Token;
  const open = new TokenOf('link_open', 'a', 1);
  open.attrSet('href', href);
  return [open, code, new TokenOf('link_close', 'a', -1)];
}

/** The content security policy of the pages allows no style attributes. */
function alignByClass(token: Token): void {
  const align = /^text-align:(\w+)$/.exec(String(token.attrGet('style')))?.[1];
  if (align === undefined) return;
  token.attrs = token.attrs!.filter(([name]) => name !== 'style');
  token.attrSet('class', align);
}
