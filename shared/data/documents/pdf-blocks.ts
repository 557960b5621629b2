import type { TextPart, TextRow, TextSpan } from '../../platform/text/markdown/text-parts.ts';
import { type ArticleLine, articleLines } from './article-lines.ts';
import { drawTextLines, LEADING, lineWidth, rule, styleOf, type TextLook } from './pdf-lines.ts';
import { artifact, type Paper, type Section } from './pdf-paper.ts';

/** The sizes of texts, and where their headings stand among those around them. */
export interface BlockSizes {
  body: number;
  code: number;
  cell: number;
  headings: Readonly<Record<1 | 2 | 3 | 4, number>>;
  /** The level of the headings of the highest level. */
  firstHeading: number;
  color?: string;
}

/** Elements of the structure, which further pages continue. */
interface Handle {
  element?: Section;
}

interface LinesBlock extends TextLook {
  kind: 'lines';
  tag: string;
  lines: readonly ArticleLine[];
  /** From the left end of the text. */
  left: number;
  width: number;
  /** Of an item of a list, to the left of its first line. */
  mark: string;
  bar: number | undefined;
  isShaded: boolean;
  before: number;
  after: number;
  /** What has to fit below a heading, so that it does not end a page. */
  keep: number;
  list: ListHandle | undefined;
  handle: Handle;
}

interface ListHandle extends Handle {
  /** Of the item that the list is at. */
  body?: Section;
}

interface RowBlock extends TextLook {
  kind: 'row';
  cells: readonly (readonly ArticleLine[])[];
  widths: readonly number[];
  isHeader: boolean;
  table: Handle & { header?: RowBlock };
  handle: Handle;
  cellHandles: readonly Handle[];
  before: number;
  after: number;
}

interface RuleBlock {
  kind: 'rule';
  size: number;
  before: number;
  after: number;
}

/** A part of a text with its lines, which is drawn where there is room for it. */
export type PdfBlock = LinesBlock | RowBlock | RuleBlock;

const INDENT = 18;
const CELL_PADDING = 4;

/** The text in lines of the width. */
export function textBlocks(
  paper: Paper,
  parts: readonly TextPart[],
  { width, sizes }: { width: number; sizes: BlockSizes },
): PdfBlock[] {
  let list: ListHandle | undefined;
  return parts.flatMap((part, index) => {
    const previous = parts[index - 1];
    list = isItem(part) ? (list ?? {}) : undefined;
    return blocksOf(paper, part, { width, sizes, list, isAfterItem: previous !== undefined && isItem(previous) });
  });
}

const isItem = (part: TextPart): boolean => part.kind === 'paragraph' && part.depth > 0;

interface PartLayout extends Layout {
  list: ListHandle | undefined;
  isAfterItem: boolean;
}

function blocksOf(paper: Paper, part: TextPart, layout: PartLayout): PdfBlock[] {
  switch (part.kind) {
    case 'heading':
      return [headingBlock(paper, part, layout)];
    case 'paragraph':
      return [paragraphBlock(paper, part, layout)];
    case 'code':
      return codeBlocks(paper, part.text, layout);
    case 'table':
      return rowBlocks(paper, part.rows, layout);
    case 'divider':
      return [{ kind: 'rule', size: layout.sizes.body, before: 0, after: 0 }];
  }
}

interface Layout {
  width: number;
  sizes: BlockSizes;
}

const linesOf = ({ text }: Paper, spans: readonly TextSpan[], width: number, look: TextLook): ArticleLine[] =>
  articleLines(spans, width, (piece, span) => text.width(piece, styleOf(span, look)));

const PLAIN = { left: 0, mark: '', bar: undefined, isShaded: false, before: 0, after: 0, keep: 0, list: undefined };

function headingBlock(
  paper: Paper,
  { level, spans }: Extract<TextPart, { kind: 'heading' }>,
  { width, sizes }: Layout,
): LinesBlock {
  const look = { size: sizes.headings[level], bold: true, color: sizes.color };
  return {
    ...{ ...PLAIN, kind: 'lines', tag: `H${Math.min(6, sizes.firstHeading + level - 1)}`, ...look, width },
    lines: linesOf(paper, spans, width, look),
    before: look.size * 0.8,
    after: look.size * 0.25,
    keep: 3 * sizes.body * LEADING,
    handle: {},
  };
}

function paragraphBlock(
  paper: Paper,
  { spans, depth, mark, isAside }: Extract<TextPart, { kind: 'paragraph' }>,
  { width, sizes, list, isAfterItem }: PartLayout,
): LinesBlock {
  const { body: size, color } = sizes;
  const left = depth * INDENT + (isAside ? INDENT : 0);
  const room = Math.max(width / 3, width - left);
  return {
    ...{ ...PLAIN, kind: 'lines', tag: 'P', size, bold: false, color, left, width: room, mark, list },
    lines: linesOf(paper, spans, room, { size }),
    bar: isAside ? depth * INDENT + 3 : undefined,
    before: depth === 0 && isAfterItem ? size * 0.5 : 0,
    after: depth > 0 ? size * 0.15 : size * 0.6,
    handle: {},
  };
}

function codeBlocks(paper: Paper, text: string, { width, sizes }: Layout): LinesBlock[] {
  const look = { size: sizes.code, color: sizes.color };
  const handle = {};
  const lines = text.split(/\r\n|\r|\n/).flatMap((line) => {
    const indent = /^[ \t]*/.exec(line)![0].replaceAll('\t', '    ');
    // The width of a space of a font whose letters are all as wide.
    const left = CELL_PADDING + Math.min(indent.length * sizes.code * 0.55, width / 2);
    const found = linesOf(paper, [{ text: line.trimStart() }], width - CELL_PADDING - left, look);
    return found.map((spans) => ({ spans, left }));
  });
  return lines.map(({ spans, left }, index) => ({
    ...{ ...PLAIN, kind: 'lines', tag: 'Code', ...look, bold: false, lines: [spans], left, width: width - left },
    isShaded: true,
    before: index === 0 ? CELL_PADDING : 0,
    after: index === lines.length - 1 ? sizes.body * 0.6 + CELL_PADDING : 0,
    handle,
  }));
}

function rowBlocks(paper: Paper, rows: readonly TextRow[], { width, sizes }: Layout): RowBlock[] {
  const widths = columnWidths(paper, rows, { width, sizes });
  const table: RowBlock['table'] = {};
  return rows.map(({ cells, isHeader }, index) => {
    const look = { size: sizes.cell, bold: isHeader, color: sizes.color };
    const block: RowBlock = {
      ...{ kind: 'row', widths, isHeader, table, handle: {}, ...look },
      cells: widths.map((wide, at) => linesOf(paper, cells[at] ?? [], wide - 2 * CELL_PADDING, look)),
      cellHandles: widths.map(() => ({})),
      before: index === 0 ? sizes.body * 0.4 : 0,
      after: index === rows.length - 1 ? sizes.body * 0.8 : 0,
    };
    if (index === 0 && isHeader) table.header = block;
    return block;
  });
}

/** Columns are as wide as their texts, as far as all have room. */
function columnWidths(paper: Paper, rows: readonly TextRow[], { width, sizes }: Layout): number[] {
  const columns = Math.max(1, ...rows.map(({ cells }) => cells.length));
  const wanted = Array.from({ length: columns }, (_, index) => {
    const texts = rows.map(({ cells, isHeader }) => {
      const look = { size: sizes.cell, bold: isHeader };
      const lines = linesOf(paper, cells[index] ?? [], Number.POSITIVE_INFINITY, look);
      return Math.max(0, ...lines.map((line) => lineWidth(paper, line, look)));
    });
    return Math.min(width, Math.max(24, ...texts) + 2 * CELL_PADDING + 1);
  });
  // Short columns keep their width; the others share what is left.
  const even = width / columns;
  const left = width - wanted.filter((each) => each <= even).reduce((sum, each) => sum + each, 0);
  const long = wanted.filter((each) => each > even).reduce((sum, each) => sum + each, 0);
  if (long === 0) return wanted.map((each) => (each * width) / (width - left));
  return wanted.map((each) => (each <= even ? each : Math.max(even / 2, (each * left) / long)));
}

/** What fits into the height, and what is left for the next page. */
export interface SplitBlocks {
  shown: PdfBlock[];
  rest: PdfBlock[];
  height: number;
}

/**
 * Divides a text between two of its lines. The height of a whole page takes at least one line, however low it is;
 * `isPage` says that the next one is not higher.
 */
export function splitBlocks(
  blocks: readonly PdfBlock[],
  height: number,
  { isPage, hasTextAbove = false }: { isPage: boolean; hasTextAbove?: boolean },
): SplitBlocks {
  const shown: PdfBlock[] = [];
  let used = 0;
  for (const [index, block] of blocks.entries()) {
    const isFirst = shown.length === 0 && !hasTextAbove;
    const placed = isFirst ? { ...block, before: 0 } : block;
    const room = height - used - placed.before - headingAbove(block, isFirst);
    const whole = contentHeight(block);
    const keep = 'keep' in block && index < blocks.length - 1 ? block.keep : 0;
    if (whole + keep <= room + 0.01 || (isFirst && isPage && whole <= room)) {
      shown.push(placed);
      used += heightOf(placed, isFirst);
      continue;
    }
    const isOwnPage = isFirst && isPage;
    // A row that fits a page is not divided; one that is higher is, as paragraphs are.
    const [head, tail] = divided(placed, room, { isOwnPage });
    if (head) {
      shown.push(head);
      used += heightOf(head, isFirst);
    }
    return { shown, rest: [...(tail ? [tail] : []), ...blocks.slice(index + 1)], height: used };
  }
  return { shown, rest: [], height: used };
}

/** The heading that a table repeats above the row that begins a page. */
const headingAbove = (block: PdfBlock, isFirst: boolean): number =>
  isFirst && repeatedHeader(block) ? contentHeight(block.table.header!) : 0;

function repeatedHeader(block: PdfBlock): block is RowBlock {
  return block.kind === 'row' && !block.isHeader && block.table.header !== undefined;
}

const linesHeight = (count: number, size: number): number => count * size * LEADING;
const rowHeight = (lines: number, size: number): number => linesHeight(lines, size) + 2 * CELL_PADDING;
const linesInRow = ({ cells }: RowBlock): number => Math.max(1, ...cells.map((lines) => lines.length));

function contentHeight(block: PdfBlock): number {
  if (block.kind === 'rule') return block.size * 1.6;
  if (block.kind === 'row') return rowHeight(linesInRow(block), block.size);
  return linesHeight(Math.max(block.lines.length, block.mark === '' ? 0 : 1), block.size);
}

const heightOf = (block: PdfBlock, isFirst: boolean): number =>
  block.before + headingAbove(block, isFirst) + contentHeight(block) + block.after;

function divided(
  block: PdfBlock,
  room: number,
  { isOwnPage }: { isOwnPage: boolean },
): [PdfBlock | undefined, PdfBlock | undefined] {
  const least = isOwnPage ? 1 : 0;
  if (block.kind === 'lines') {
    // A heading is not divided from the text below it.
    if (block.keep > 0 && !isOwnPage) return [undefined, block];
    const count = Math.max(least, Math.floor((room + 0.01) / (block.size * LEADING)));
    if (count <= 0) return [undefined, block];
    if (count >= block.lines.length) return [block, undefined];
    const tail = { ...block, lines: block.lines.slice(count), mark: '', before: 0 };
    return [{ ...block, lines: block.lines.slice(0, count), after: 0 }, tail];
  }
  if (block.kind === 'rule' || !isOwnPage) return [undefined, block];
  const count = Math.max(1, Math.floor((room - 2 * CELL_PADDING) / (block.size * LEADING)));
  if (count >= linesInRow(block)) return [block, undefined];
  return [
    { ...block, cells: block.cells.map((lines) => lines.slice(0, count)), after: 0 },
    { ...block, cells: block.cells.map((lines) => lines.slice(count)), before: 0 },
  ];
}

/** Draws the blocks one below the other. */
export function drawBlocks(
  paper: Paper,
  section: Section,
  blocks: readonly PdfBlock[],
  { x, y, width }: { x: number; y: number; width: number },
): void {
  let top = y;
  for (const [index, block] of blocks.entries()) {
    top += block.before;
    if (block.kind === 'lines') drawLines(paper, section, block, { x, y: top, width });
    if (block.kind === 'rule') {
      const y1 = top + block.size * 0.6;
      artifact(paper.doc, () => rule(paper.doc, { x, y: y1, width, color: paper.surface.line }));
    }
    if (block.kind === 'row') {
      if (index === 0 && repeatedHeader(block) && block.table.element) {
        const header = block.table.header!;
        drawCells(paper, header, { x, y: top }, (_, draw) => artifact(paper.doc, draw));
        top += contentHeight(header);
      }
      drawRow(paper, section, block, { x, y: top });
    }
    top += contentHeight(block) + block.after;
  }
}

/** The element of the handle, which is a new one of the parent the first time. */
function elementOf(paper: Paper, handle: Handle, tag: string, parent: Section, options = {}): Section {
  if (!handle.element) {
    handle.element = paper.doc.struct(tag, options);
    parent.add(handle.element);
  }
  return handle.element;
}

interface Place {
  x: number;
  y: number;
}

function drawLines(
  paper: Paper,
  section: Section,
  block: LinesBlock,
  { x, y, width }: Place & { width: number },
): void {
  const { doc, text, surface } = paper;
  const { size, lines, left, mark, tag, list, handle } = block;
  const height = linesHeight(lines.length, size);
  if (block.isShaded || block.bar !== undefined) {
    artifact(doc, () => {
      if (block.isShaded) doc.rect(x, y, width, height).fillColor(surface.raised, 1).fill();
      if (block.bar !== undefined)
        doc
          .rect(x + block.bar, y, 2, height)
          .fillColor(surface.line, 1)
          .fill();
    });
  }
  const draw = (to: Section) => {
    to.add(() => drawTextLines(paper, lines, { x: x + left, y, width: block.width }, block));
  };
  if (!list) {
    draw(elementOf(paper, handle, tag, section));
    return;
  }
  const items = elementOf(paper, list, 'L', section);
  if (mark !== '' || !list.body) {
    const item = doc.struct('LI');
    items.add(item);
    if (mark !== '') {
      const style = { size, color: block.color ?? surface.text };
      const at = x + left - text.width(mark, style) - size * 0.4;
      item.add(doc.struct('Lbl', {}, () => text.line(mark, at, y + size * 1.1, style)));
    }
    list.body = doc.struct('LBody');
    item.add(list.body);
  }
  if (lines.length > 0) draw(elementOf(paper, handle, tag, list.body));
}

function drawRow(paper: Paper, section: Section, block: RowBlock, place: Place): void {
  const table = elementOf(paper, block.table, 'Table', section);
  const row = elementOf(paper, block.handle, 'TR', table);
  drawCells(paper, block, place, (at, draw) => {
    const [tag, options] = block.isHeader ? (['TH', { scope: 'Column' }] as const) : (['TD', {}] as const);
    elementOf(paper, block.cellHandles[at]!, tag, row, options).add(draw);
  });
}

function drawCells(
  paper: Paper,
  block: RowBlock,
  { x, y }: Place,
  within: (at: number, draw: () => void) => void,
): void {
  const { doc, surface } = paper;
  const width = block.widths.reduce((sum, each) => sum + each, 0);
  const height = contentHeight(block);
  artifact(doc, () => {
    if (block.isHeader) doc.rect(x, y, width, height).fillColor(surface.raised, 1).fill();
    rule(doc, { x, y: y + height, width, color: surface.line });
  });
  let left = x;
  for (const [at, lines] of block.cells.entries()) {
    const place = { x: left + CELL_PADDING, y: y + CELL_PADDING, width: block.widths[at]! - 2 * CELL_PADDING };
    within(at, () => drawTextLines(paper, lines, place, block));
    left += block.widths[at]!;
  }
}
