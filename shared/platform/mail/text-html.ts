import { escapeHtml } from '../text/escape-html.ts';
import type { TextParagraph, TextPart, TextRow, TextSpan } from '../text/markdown/text-parts.ts';
import { looks } from './mail-styles.ts';
import { visibleText } from './visible-text.ts';

/** A text as HTML with the looks of emails. */
export function textHtml(parts: readonly TextPart[]): string {
  const html: string[] = [];
  for (let index = 0; index < parts.length; index += 1) {
    const part = parts[index]!;
    if (isItem(part)) {
      const end = parts.findIndex((each, at) => at > index && !isItem(each));
      const items = parts.slice(index, end < 0 ? undefined : end) as TextParagraph[];
      html.push(listHtml(items, 1));
      index += items.length - 1;
    } else html.push(partHtml(part));
  }
  return html.join('');
}

const isItem = (part: TextPart): part is TextParagraph => part.kind === 'paragraph' && part.depth > 0;

function partHtml(part: TextPart): string {
  switch (part.kind) {
    case 'heading': {
      const tag = part.level === 1 ? 'h2' : 'h3';
      return `<${tag} ${looks(tag)}>${spansHtml(part.spans)}</${tag}>`;
    }
    case 'paragraph': {
      const tag = part.isAside ? 'blockquote' : 'p';
      return `<${tag} ${looks(part.isAside ? 'quote' : 'text')}>${spansHtml(part.spans)}</${tag}>`;
    }
    case 'code':
      return `<pre ${looks('pre')}>${part.text.split('\n').map(escaped).join('\n')}</pre>`;
    case 'table':
      return `<table ${looks('rows')}>${part.rows.map(rowHtml).join('')}</table>`;
    case 'divider':
      return `<hr ${looks('rule')}>`;
  }
}

interface List {
  tag: 'ul' | 'ol';
  start: number;
  items: string[];
}

/** Items of the depth and, within them, those of lists in them. */
function listHtml(items: readonly TextParagraph[], depth: number): string {
  const lists: List[] = [];
  for (let index = 0; index < items.length; index += 1) {
    const item = items[index]!;
    const list = listOf(lists, item, item.depth === depth && item.mark !== '');
    const inner = item.depth > depth ? itemsWithin(items.slice(index), depth) : [];
    list.items[list.items.length - 1] += inner.length > 0 ? listHtml(inner, depth + 1) : itemHtml(item);
    index += Math.max(0, inner.length - 1);
  }
  return lists
    .map(({ tag, start, items: texts }) => {
      const from = start > 1 ? ` start="${start}"` : '';
      return `<${tag}${from} ${looks('list')}>${texts.map((text) => `<li>${text}</li>`).join('')}</${tag}>`;
    })
    .join('');
}

/** The list that the item is part of: another kind of mark begins another one. */
function listOf(lists: List[], { mark }: TextParagraph, isNext: boolean): List {
  const number = Number.parseInt(mark, 10);
  const tag = Number.isNaN(number) ? 'ul' : 'ol';
  const last = lists.at(-1);
  const list = last && (!isNext || last.tag === tag) ? last : { tag, start: number, items: [] as string[] };
  if (list !== last) lists.push(list as List);
  if (isNext || list.items.length === 0) list.items.push('');
  return list as List;
}

const itemHtml = ({ spans, mark }: TextParagraph): string =>
  mark === '' ? `<div>${spansHtml(spans)}</div>` : spansHtml(spans);

/** The first items until one of the depth. */
function itemsWithin(items: readonly TextParagraph[], depth: number): readonly TextParagraph[] {
  const end = items.findIndex((each) => each.depth <= depth);
  return end < 0 ? items : items.slice(0, end);
}

function rowHtml({ cells, isHeader }: TextRow): string {
  const [tag, look] = isHeader ? (['th', 'head'] as const) : (['td', 'cell'] as const);
  return `<tr>${cells.map((spans) => `<${tag} ${looks(look, 'text-align:left')}>${spansHtml(spans)}</${tag}>`).join('')}</tr>`;
}

const spansHtml = (spans: readonly TextSpan[]): string => spans.map(spanHtml).join('');

function spanHtml({ text, bold, italic, strike, code, href }: TextSpan): string {
  let html = text.split('\n').map(escaped).join('<br>');
  if (code) html = `<code ${looks('inline')}>${html}</code>`;
  if (bold) html = `<strong>${html}</strong>`;
  if (italic) html = `<em>${html}</em>`;
  if (strike) html = `<s>${html}</s>`;
  return href === undefined ? html : `<a href="${escapeHtml(href)}" ${looks('link')}>${html}</a>`;
}

const escaped = (text: string): string => escapeHtml(visibleText(text));
