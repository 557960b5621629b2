import type { ChartData } from '../charts/chart-columns.ts';
import type { Mark } from '../charts/chart-look.ts';
import { drawChart } from '../charts/draw.ts';
import { drawTable, type TableWindow } from '../charts/draw-table.ts';
import { rowsThere } from '../charts/latest-rows.ts';
import type { Size } from '../charts/vega-lite-spec.ts';
import { chartAlternative } from './alternative-text.ts';
import { cardText } from './card-text.ts';
import type { DocumentCard } from './documents.ts';
import { type BlockSizes, drawBlocks, type PdfBlock, splitBlocks, textBlocks } from './pdf-blocks.ts';
import { artifact, type Paper, type Section } from './pdf-paper.ts';
import { drawSvg } from './svg-to-pdf.ts';
import { readSvg } from './svg-tree.ts';

/** The space between cards, which belongs to the place of each. */
export const CARD_GAP = 6;
const PADDING = 8;
/** In points. */
export const PIXEL = 0.75;
const TITLE = { size: 9.5, bold: true };
export const NOTE = { size: 6.5 };
const TEXT: BlockSizes = {
  ...{ body: 8.5, code: 7.5, cell: 7.5, firstHeading: 3 },
  headings: { 1: 12, 2: 10.5, 3: 9.5, 4: 8.5 },
};
/** The space between a title and what is below it. */
const TITLE_HEIGHT = TITLE.size * 1.7;

/** In points, from the upper left corner of the page. */
export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** How large the table of a card in the box is, in pixels. */
export function tableSize({ width, height }: Pick<Box, 'width' | 'height'>, { title, content }: DocumentCard): Size {
  const note = content.kind === 'chart' && content.truncated ? NOTE.size * 1.6 : 0;
  const used = 2 * PADDING + (title === '' ? 0 : TITLE_HEIGHT) + note;
  return pixelsOf({ width: width - 2 * PADDING, height: height - used });
}

const pixelsOf = ({ width, height }: Size): Size => ({
  width: Math.max(80, width / PIXEL),
  height: Math.max(40, height / PIXEL),
});

/** A card with the part of its text or table for which its place has room. */
export interface PaperCard extends DocumentCard {
  blocks?: readonly PdfBlock[];
  table?: PaperTable;
}

/** The rows and columns of a table for which a card has room. */
export interface PaperTable {
  mark: NonNullable<Mark['columns']>;
  data: ChartData & { columnsLeftOut?: number };
  window: TableWindow;
  /** The element of the structure, which all pages of the table share. */
  tags: { element?: Section };
}

/** Where the text of a card in the box is. */
export const textSize = ({ width, height }: Size, { title }: DocumentCard): Size => ({
  width: width - 2 * PADDING,
  height: height - 2 * PADDING - (title === '' ? 0 : TITLE_HEIGHT),
});

/** The text of a card that has no rows, in lines of the width. */
function cardBlocks(paper: Paper, { title, content }: DocumentCard, width: number): PdfBlock[] {
  const color = content.kind === 'problem' ? paper.surface.bad : undefined;
  const sizes = { ...TEXT, firstHeading: TEXT.firstHeading + (title === '' ? 0 : 1), ...(color && { color }) };
  return textBlocks(paper, cardText(content) ?? [], { width, sizes });
}

/** The card with the part of its text that fits into the box, and what is left of it. */
export function withText(
  paper: Paper,
  card: DocumentCard,
  { box, isPage = false }: { box: Size; isPage?: boolean },
): { card: PaperCard; rest: PdfBlock[] } {
  const { width, height } = textSize(box, card);
  const { shown, rest } = splitBlocks(cardBlocks(paper, card, width), height, { isPage });
  return { card: { ...card, blocks: shown }, rest };
}

/** The card with its frame, its title, and what it contains. */
export async function drawCard(paper: Paper, section: Section, card: PaperCard, box: Box): Promise<void> {
  const { doc, text, surface, theme } = paper;
  const { content } = card;
  if (content.kind === 'divider') {
    const middle = box.y + box.height / 2;
    artifact(doc, () => {
      doc
        .moveTo(box.x, middle)
        .lineTo(box.x + box.width, middle)
        .lineWidth(1)
        .strokeColor(surface.line, 1)
        .stroke();
    });
    return;
  }
  artifact(doc, () => {
    const radius = Math.min(theme.radius * PIXEL, box.height / 2);
    doc.roundedRect(box.x, box.y, box.width, box.height, radius).lineWidth(0.75).strokeColor(surface.line, 1).stroke();
  });
  const inner = {
    x: box.x + PADDING,
    y: box.y + PADDING,
    width: box.width - 2 * PADDING,
    height: box.height - 2 * PADDING,
  };
  if (card.title !== '') {
    const style = { ...TITLE, color: surface.text };
    const shown = text.fitted(card.title, inner.width, style);
    section.add(doc.struct('H3', {}, () => text.line(shown, inner.x, inner.y + TITLE.size, style)));
    inner.y += TITLE_HEIGHT;
    inner.height -= TITLE_HEIGHT;
  }
  if (inner.height < 8) return;
  if (content.kind === 'chart') await chart(paper, section, inner, card);
  else drawBlocks(paper, section, card.blocks ?? [], inner);
}

async function chart(paper: Paper, section: Section, inner: Box, card: PaperCard): Promise<void> {
  const content = card.content as Extract<DocumentCard['content'], { kind: 'chart' }>;
  const { doc, text, theme, surface } = paper;
  const area = { ...inner };
  if (content.truncated) {
    const style = { ...NOTE, color: surface.muted };
    const note = text.fitted(`Truncated: ${rowsThere(content.look, content.data.rows.length)}`, inner.width, style);
    section.add(doc.struct('P', {}, () => text.line(note, inner.x, inner.y + inner.height, style)));
    area.height -= NOTE.size * 1.6;
  }
  const size = pixelsOf(area);
  const { table } = card;
  if (table) return tagged(paper, section, area, { table, size });
  const tree = readSvg(await drawChart(content.look, content.data, { ...size, theme, description: '' }));
  // Charts side by side may need more room than there is.
  const scale = Math.min(PIXEL, area.width / tree.width, area.height / tree.height);
  section.add(
    doc.struct('Figure', { alt: chartAlternative(card, content) }, () => {
      doc.save();
      doc.translate(area.x, area.y).scale(scale);
      drawSvg(doc, text, tree);
      doc.restore();
    }),
  );
}

/** What a heading is for; the types of the library lack it. */
const COLUMN: object = { scope: 'Column' };

/** A table whose cells are elements of the structure. Its lines and colors are not. */
function tagged(
  { doc, text, theme }: Paper,
  section: Section,
  area: Box,
  { table, size }: { table: PaperTable; size: Size },
): void {
  const { mark, data, window, tags } = table;
  const tree = readSvg(drawTable(mark, data, { ...size, theme, description: '', window }));
  const element = tags.element ?? doc.struct('Table');
  if (!tags.element) section.add(element);
  tags.element = element;
  doc.save();
  doc.translate(area.x, area.y).scale(Math.min(PIXEL, area.width / tree.width, area.height / tree.height));
  artifact(doc, () => drawSvg(doc, text, tree, 'shapes'));
  const rows = new Map<number, Section>();
  drawSvg(doc, text, tree, {
    within(cell, draw) {
      const [row, at] = (cell ?? '').split(' ').map(Number);
      if (at === undefined) section.add(doc.struct('P', {}, draw));
      // The headings of further pages are those of the first one again.
      else if (row === 0 && window.from > 0) artifact(doc, draw);
      else {
        const cells = rows.get(row!) ?? doc.struct('TR');
        if (!rows.has(row!)) element.add(cells);
        rows.set(row!, cells);
        cells.add(row === 0 ? doc.struct('TH', COLUMN, draw) : doc.struct('TD', {}, draw));
      }
    },
  });
  doc.restore();
}
