import { Html, html } from '../../platform/text/html.ts';
import { blockText } from './block-text.ts';
import { isSafeLink } from './links.ts';
import {
  type Block,
  CALLOUT_TONES,
  type InlineValue,
  inlineValueOf,
  type LiveBlock,
  liveBlockOf,
  mentionText,
  type RichMark,
  type RichNode,
  type RichText,
} from './nodes.ts';

export interface ShownValue {
  text: string;
  /** Why it differs from what the author wrote, or why it is hidden. */
  note?: string;
}

export interface HtmlOptions {
  /** The level of the highest heading: 2 by default, below the title of the page. The others follow without gaps. */
  headingLevel?: number;
  /** What stands for a live block, whose title is a heading of the level; by default its title as a text. */
  liveBlock?: (block: LiveBlock, headingLevel: number) => Html;
  /** What stands for an inline value; by default what the author saw. */
  value?: (value: InlineValue) => ShownValue;
}

/**
 * The content as HTML without styles and scripts, for pages and mails. Texts are escaped, and links leave no trace of
 * the page at their target. Images, which would tell other hosts who reads the text, are links.
 */
export function richTextHtml({ content }: RichText, options: HtmlOptions = {}): Html {
  const used = [...new Set(content.flatMap((block) => levelsIn(block)))].sort();
  const writing = { ...options, tagOf: headingTags(used, options.headingLevel ?? 2) };
  return html`${content.map((block) => html`${blockHtml(block, writing, block)}\n`)}`;
}

interface Writing extends HtmlOptions {
  tagOf: (level: number) => Html;
}

const levelsIn = (node: RichNode): number[] =>
  node.type === 'heading' ? [levelOf(node)] : (node.content ?? []).flatMap(levelsIn);

const headingTags = (used: readonly number[], first: number) => (level: number) =>
  Html.trusted(`h${Math.min(6, first + Math.max(0, used.indexOf(level)))}`);

/** The id of the element of a block in a page, which links of a contents list lead to. */
export const elementId = (blockId: string): string => `block-${blockId}`;

export interface ContentsEntry {
  blockId: string;
  level: number;
  text: string;
}

/** The headings of a content, for a contents list. */
export const contentsOf = ({ content }: RichText): ContentsEntry[] =>
  content
    .filter(({ type }) => type === 'heading')
    .map((block) => ({ blockId: block.attrs.id, level: levelOf(block), text: blockText(block).text.trim() }))
    .filter(({ text }) => text !== '');

const levelOf = (node: RichNode): number => (node.attrs as { level: number }).level;

function blockHtml(node: RichNode, options: Writing, block?: Block): Html {
  const id = block && html` id="${elementId(block.attrs.id)}"`;
  const inner = () => html`${(node.content ?? []).map((child) => blockHtml(child, options))}`;
  const line = () => html`${(node.content ?? []).map((child) => inlineHtml(child, options))}`;
  switch (node.type) {
    case 'paragraph':
      return html`<p${id}>${line()}</p>`;
    case 'heading': {
      const tag = options.tagOf(levelOf(node));
      return html`<${tag}${id}>${line()}</${tag}>`;
    }
    case 'bulletList':
      return html`<ul${id}>${inner()}</ul>`;
    case 'orderedList': {
      const start = Number(node.attrs?.start ?? 1);
      return html`<ol${id}${start !== 1 && html` start="${start}"`}>${inner()}</ol>`;
    }
    case 'listItem':
      return html`<li>${inner()}</li>`;
    case 'blockquote':
      return html`<blockquote${id}>${inner()}</blockquote>`;
    case 'callout': {
      const tone = CALLOUT_TONES.find((each) => each === node.attrs?.tone) ?? 'info';
      return html`<aside${id} class="callout ${tone}" role="note">${inner()}</aside>`;
    }
    case 'table':
      return html`<div${id} class="table" role="group" aria-label="Table" tabindex="0"><table>${inner()}</table></div>`;
    case 'tableRow':
      return html`<tr>${inner()}</tr>`;
    case 'tableHeader':
      return html`<th${spans(node)}>${inner()}</th>`;
    case 'tableCell':
      return html`<td${spans(node)}>${inner()}</td>`;
    case 'codeBlock':
      return html`<pre${id} role="group" aria-label="Code" tabindex="0"><code>${line()}</code></pre>`;
    case 'image':
      return html`<p${id} class="image">${imageLink(node)}</p>`;
    case 'divider':
      return html`<hr${id}>`;
    case 'liveBlock':
      return html`<div${id} class="live">${liveHtml(liveBlockOf(node), options)}</div>`;
    default:
      return inlineHtml(node, options);
  }
}

const spans = ({ attrs = {} }: RichNode): Html =>
  html`${['colspan', 'rowspan'].map((name) => {
    const span = Number(attrs[name] ?? 1);
    return span > 1 && html` ${name}="${span}"`;
  })}`;

function imageLink({ attrs }: RichNode): Html | string {
  const { src, alt } = attrs as { src: string; alt: string };
  return isSafeLink(src) ? linked(src, html`${alt}`) : alt;
}

function liveHtml(block: LiveBlock, { liveBlock, headingLevel = 2 }: HtmlOptions): Html {
  if (liveBlock) return liveBlock(block, headingLevel);
  const title = block.title ?? (block.source.kind === 'slot' ? block.source.label : undefined);
  return title === undefined ? html`` : html`<p>${title}</p>`;
}

function inlineHtml(node: RichNode, options: HtmlOptions): Html {
  return marked(plainInline(node, options), node.marks ?? []);
}

function plainInline(node: RichNode, { value }: HtmlOptions): Html {
  if (node.type === 'hardBreak') return html`<br>`;
  if (node.type === 'mention') return html`<span class="mention">${mentionText(node)}</span>`;
  if (node.type !== 'value') return html`${node.text}`;
  const inline = inlineValueOf(node);
  const { text, note } = value?.(inline) ?? { text: inline.written };
  return html`<span class="inline-value" data-value="${inline.id}"${note !== undefined && html` title="${note}"`}>${text}</span>`;
}

const TAGS: Partial<Record<string, Html>> = {
  bold: Html.trusted('strong'),
  italic: Html.trusted('em'),
  strike: Html.trusted('s'),
  code: Html.trusted('code'),
};

/** The first mark is the outermost element. */
function marked(inner: Html, marks: readonly RichMark[]): Html {
  return marks.toReversed().reduce((text, { type, attrs }) => {
    if (type === 'link') return isSafeLink(String(attrs?.href)) ? linked(String(attrs?.href), text) : text;
    const tag = TAGS[type];
    return tag ? html`<${tag}>${text}</${tag}>` : text;
  }, inner);
}

const linked = (href: string, text: Html): Html =>
  html`<a href="${href}" target="_blank" rel="noopener noreferrer">${text}</a>`;
