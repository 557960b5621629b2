import type { ArticlePart } from '../../../data/documents/article.ts';
import type { CardContent } from '../../../data/documents/documents.ts';
import {
  type Block,
  inlineValueOf,
  isSafeLink,
  liveBlockOf,
  mentionText,
  type RichNode,
} from '../../../data/rich-text/index.ts';
import { BULLET, type TextRow, type TextSpan } from '../../../platform/text/markdown/text-parts.ts';
import type { Section } from '../stories/index.ts';

const LIVE_ROWS = 8;

/** A live block as its reader sees it. */
export interface ShownBlock {
  title: string;
  content: CardContent;
  /** Of the card of a dashboard, in rows of its grid. */
  height?: number | undefined;
}

/** The inline values of sections as they stand for the reader, by the ids of the section and of the value. */
export type ShownValues = ReadonlyMap<string, ReadonlyMap<string, string>>;

export type NamedSection = Pick<Section, 'id' | 'title' | 'content'>;

export interface ArticleOptions {
  /** The live blocks that the reader may read, and the problem of the others, by the id of the block. */
  blocks: ReadonlyMap<string, ShownBlock>;
  values: ShownValues;
}

/** The sections that the reader sees, from top to bottom. Values without a known text are hidden. */
export const storyArticle = (sections: readonly NamedSection[], options: ArticleOptions): ArticlePart[] =>
  sections.flatMap(({ id, title, content }) => {
    const values = options.values.get(id);
    const writing = {
      blocks: options.blocks,
      valueText: (valueId: string) => values?.get(valueId) ?? '—',
      below: title ? 1 : 0,
    };
    const parts = content.content.flatMap((block) => partsOf(block, writing, OUTERMOST));
    return title ? [{ kind: 'heading' as const, level: 1 as const, spans: [{ text: title }] }, ...parts] : parts;
  });

interface Writing {
  blocks: ArticleOptions['blocks'];
  valueText(valueId: string): string;
  /** How many headings stand above those of the text. */
  below: number;
}

interface Around {
  depth: number;
  /** What stands before the first paragraph of an item. */
  mark: string;
  isAside: boolean;
}

const OUTERMOST: Around = { depth: 0, mark: '', isAside: false };

function partsOf(node: RichNode, writing: Writing, around: Around): ArticlePart[] {
  const children = node.content ?? [];
  switch (node.type) {
    case 'paragraph':
      return [{ kind: 'paragraph', spans: spansOf(node, writing), ...around }];
    case 'heading': {
      const level = Math.min(4, (node.attrs as { level: number }).level + writing.below) as 1 | 2 | 3 | 4;
      return [{ kind: 'heading', level, spans: spansOf(node, writing) }];
    }
    case 'bulletList':
      return children.flatMap((item) => itemParts(item, writing, around, BULLET));
    case 'orderedList': {
      const start = Number(node.attrs?.start ?? 1);
      return children.flatMap((item, index) => itemParts(item, writing, around, `${start + index}.`));
    }
    case 'blockquote':
    case 'callout':
      return children.flatMap((child, index) =>
        partsOf(child, writing, { ...around, mark: index === 0 ? around.mark : '', isAside: true }),
      );
    case 'codeBlock':
      return [{ kind: 'code', text: children.map(({ text = '' }) => text).join('') }];
    case 'table':
      return [{ kind: 'table', rows: children.map((row) => rowOf(row, writing)) }];
    case 'image':
      return [{ kind: 'paragraph', spans: [imageSpan(node)], ...around }];
    case 'divider':
      return [{ kind: 'divider' }];
    case 'liveBlock':
      return cardPart(node as Block, writing);
    default:
      return [];
  }
}

/**
 * The first paragraph of an item has its mark; the others are as far from the margin. An item that begins with
 * something else, such as another list, has its mark on a line of its own.
 */
function itemParts(item: RichNode, writing: Writing, { depth, isAside }: Around, mark: string): ArticlePart[] {
  const around = { depth: depth + 1, mark, isAside };
  const parts = (item.content ?? []).flatMap((child, index) =>
    partsOf(child, writing, { ...around, mark: index === 0 ? mark : '' }),
  );
  const [first] = parts;
  const isMarked = first?.kind === 'paragraph' && first.depth === around.depth && first.mark !== '';
  return isMarked ? parts : [{ kind: 'paragraph', spans: [], ...around }, ...parts];
}

function cardPart(node: Block, { blocks }: Writing): ArticlePart[] {
  const { id, height } = liveBlockOf(node);
  const shown = blocks.get(id);
  if (!shown) return [];
  const { title, content, height: usual = LIVE_ROWS } = shown;
  return [{ kind: 'card', card: { title, description: '', content }, rows: height ?? usual }];
}

function rowOf({ content: cells = [] }: RichNode, writing: Writing): TextRow {
  return {
    isHeader: cells.length > 0 && cells.every(({ type }) => type === 'tableHeader'),
    cells: cells.map((cell) => cellSpans(cell, writing)),
  };
}

/** All that a cell says, line by line. */
function cellSpans(node: RichNode, writing: Writing): TextSpan[] {
  const lines = partsOf({ ...node, type: 'blockquote' }, writing, OUTERMOST).map((part): TextSpan[] => {
    if (part.kind === 'paragraph')
      return part.mark === '' ? [...part.spans] : [{ text: `${part.mark} ` }, ...part.spans];
    if (part.kind === 'heading') return part.spans.map((span) => ({ ...span, bold: true }));
    return part.kind === 'code' ? [{ text: part.text, code: true }] : [];
  });
  return lines.flatMap((spans, index) => (index === 0 ? spans : [{ text: '\n' }, ...spans]));
}

const spansOf = (node: RichNode, writing: Writing): TextSpan[] =>
  (node.content ?? []).map((child) => ({ text: textOf(child, writing), ...lookOf(child) }));

function textOf(node: RichNode, { valueText }: Writing): string {
  switch (node.type) {
    case 'hardBreak':
      return '\n';
    case 'mention':
      return mentionText(node);
    case 'value':
      return valueText(inlineValueOf(node).id);
    default:
      return node.text ?? '';
  }
}

function lookOf({ marks = [] }: RichNode): Omit<TextSpan, 'text'> {
  const look: Omit<TextSpan, 'text'> = {};
  for (const { type, attrs } of marks) {
    if (type !== 'link') look[type] = true;
    else if (isSafeLink(String(attrs?.href))) look.href = String(attrs?.href);
  }
  return look;
}

/** Files load nothing from other hosts. */
function imageSpan({ attrs }: RichNode): TextSpan {
  const { src, alt } = attrs as { src: string; alt: string };
  return { text: `[${alt}]`, ...(isSafeLink(src) && { href: src }) };
}
