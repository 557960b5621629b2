import { drawChart } from '../charts/draw.ts';
import type { Surface } from '../charts/theme.ts';
import type { Size } from '../charts/vega-lite-spec.ts';
import { chartAlternative } from './alternative-text.ts';
import type { DashboardDocument, DocumentCard } from './documents.ts';
import type { PdfText } from './pdf-text.ts';
import { drawSvg } from './svg-to-pdf.ts';
import { readSvg } from './svg-tree.ts';

/** The space between cards, which belongs to the place of each. */
export const CARD_GAP = 6;
const PADDING = 8;
const PIXEL = 0.75;
const TITLE = { size: 9.5, bold: true };
export const NOTE = { size: 6.5 };
const BODY = { size: 8.5 };

export interface Paper {
  doc: PDFKit.PDFDocument;
  text: PdfText;
  surface: Surface;
  theme: DashboardDocument['theme'];
}

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
  const used = 2 * PADDING + (title === '' ? 0 : TITLE.size * 1.7) + note;
  return pixelsOf({ width: width - 2 * PADDING, height: height - used });
}

const pixelsOf = ({ width, height }: Size): Size => ({
  width: Math.max(80, width / PIXEL),
  height: Math.max(40, height / PIXEL),
});

export type Section = PDFKit.PDFStructureElement;

/** The card with its frame, its title, and what it contains. */
export async function drawCard(paper: Paper, section: Section, card: DocumentCard, box: Box): Promise<void> {
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
    inner.y += TITLE.size * 1.7;
    inner.height -= TITLE.size * 1.7;
  }
  if (inner.height < 8) return;
  switch (content.kind) {
    case 'text':
      return paragraph(paper, section, inner, { text: content.text, color: surface.text });
    case 'problem':
      return paragraph(paper, section, inner, { text: content.problem, color: surface.bad });
    default:
      return chart(paper, section, inner, card, content);
  }
}

function paragraph(
  { doc, text }: Paper,
  section: Section,
  { x, y, width, height }: Box,
  { text: content, color }: { text: string; color: string },
): void {
  const style = { ...BODY, color };
  const height1 = BODY.size * 1.4;
  const lines = text.wrapped(content, width, style, Math.max(1, Math.floor(height / height1)));
  section.add(
    doc.struct('P', {}, () => {
      for (const [index, line] of lines.entries()) text.line(line, x, y + BODY.size + index * height1, style);
    }),
  );
}

async function chart(
  { doc, text, theme, surface }: Paper,
  section: Section,
  inner: Box,
  card: DocumentCard,
  content: Extract<DocumentCard['content'], { kind: 'chart' }>,
): Promise<void> {
  const area = { ...inner };
  if (content.truncated) {
    const style = { ...NOTE, color: surface.muted };
    const note = text.fitted(`Truncated: the first ${content.data.rows.length} rows`, inner.width, style);
    section.add(doc.struct('P', {}, () => text.line(note, inner.x, inner.y + inner.height, style)));
    area.height -= NOTE.size * 1.6;
  }
  const size = pixelsOf(area);
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

/** What is not part of the text: assistive programs leave it out. */
export function artifact(doc: PDFKit.PDFDocument, draw: () => void): void {
  doc.markContent('Artifact', { type: 'Layout' });
  draw();
  doc.endMarkedContent();
}
