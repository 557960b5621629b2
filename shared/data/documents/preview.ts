import { surfaceOf } from '../charts/theme.ts';
import type { DashboardDocument } from './documents.ts';
import { CARD_GAP, drawCard, withText } from './pdf-card.ts';
import type { Paper } from './pdf-paper.ts';
import { PdfText } from './pdf-text.ts';
import { PIXELS_PER_POINT, pngOfPage } from './png.ts';
import { PREVIEW, previewCards } from './preview-layout.ts';

const SIZE = { width: PREVIEW.width / PIXELS_PER_POINT, height: PREVIEW.height / PIXELS_PER_POINT };
const MARGIN = 16;
const INNER = SIZE.width - 2 * MARGIN;
const COLUMN = (INNER + CARD_GAP) / 24;
/** Cards in few rows are higher than on a sheet of paper, up to this. */
const MAX_ROW = 40;

export type PreviewDocument = Pick<DashboardDocument, 'title' | 'description' | 'theme'> & {
  cards: DashboardDocument['pages'][number]['cards'];
};

/**
 * The beginning of a dashboard as PNG, with texts that are still readable when an application shows it at half its
 * size.
 */
export async function writePreview({ title, description, theme, cards }: PreviewDocument): Promise<Buffer> {
  return pngOfPage(SIZE, title, async (doc) => {
    const paper: Paper = { doc, text: new PdfText(doc), surface: surfaceOf(theme), theme };
    doc.rect(0, 0, SIZE.width, SIZE.height).fillColor(paper.surface.background, 1).fill();
    await drawCards(paper, cards, headings(paper, { title, description }));
  });
}

/** Returns where the cards begin. */
function headings({ text, surface }: Paper, { title, description }: Pick<PreviewDocument, 'title' | 'description'>) {
  let top = MARGIN;
  const lines = [
    { line: title, style: { size: 17, bold: true, color: surface.text } },
    { line: description, style: { size: 9, color: surface.muted } },
  ];
  for (const { line, style } of lines) {
    if (line === '') continue;
    text.line(text.fitted(line.replaceAll(/\s+/g, ' '), INNER, style), MARGIN, top + style.size, style);
    top += style.size * 1.5;
  }
  return top + CARD_GAP;
}

async function drawCards(paper: Paper, cards: PreviewDocument['cards'], from: number): Promise<void> {
  const { doc } = paper;
  const placed = previewCards(cards);
  const rows = Math.max(1, ...placed.map(({ top, rows: high }) => top + high));
  const row = Math.min(MAX_ROW, (SIZE.height - MARGIN - from + CARD_GAP) / rows);
  const root = doc.struct('Document');
  doc.addStructure(root);
  for (const { card, top, rows: high } of placed) {
    const { x, w } = card.position;
    const box = {
      x: MARGIN + x * COLUMN,
      y: from + top * row,
      width: w * COLUMN - CARD_GAP,
      height: high * row - CARD_GAP,
    };
    await drawCard(paper, root, withText(paper, card, { box }).card, box);
  }
  root.end();
}
