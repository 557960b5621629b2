import type { TextSpan } from '../../platform/text/markdown/text-parts.ts';
import { runsFromRight } from './article.ts';
import type { ArticleLine } from './article-lines.ts';
import type { Paper } from './pdf-paper.ts';
import type { TextStyle } from './pdf-text.ts';

/** The look of a text as a whole. */
export interface TextLook {
  size: number;
  bold?: boolean;
  color?: string | undefined;
}

/** The height of a line, for each point of its letters. */
export const LEADING = 1.45;

export const styleOf = (
  { bold = false, italic = false }: TextSpan,
  { size, bold: isBold = false }: TextLook,
): TextStyle => ({ size, bold: bold || isBold, italic });

export const lineWidth = ({ text }: Paper, line: ArticleLine, look: TextLook): number =>
  line.reduce((sum, span) => sum + text.width(span.text, styleOf(span, look)), 0);

/** Draws lines one below the other; those from right to left end at the right. */
export function drawTextLines(
  paper: Paper,
  lines: readonly ArticleLine[],
  { x, y, width }: { x: number; y: number; width: number },
  look: TextLook,
): void {
  const isReversed = lines.length > 0 && runsFromRight(lines.flat());
  for (const [index, line] of lines.entries()) {
    const at = isReversed ? x + width - lineWidth(paper, line, look) : x;
    drawLine(paper, isReversed ? [...line].reverse() : line, at, y + look.size * (1.1 + index * LEADING), look);
  }
}

function drawLine(
  { doc, text, surface, theme }: Paper,
  line: ArticleLine,
  from: number,
  y: number,
  look: TextLook,
): void {
  let x = from;
  for (const span of line) {
    const style = styleOf(span, look);
    const color = look.color ?? (span.href === undefined ? surface.text : linkColor(theme));
    const width = text.width(span.text, style);
    if (span.code) {
      doc
        .roundedRect(x - 1, y - look.size, width + 2, look.size * 1.3, 2)
        .fillColor(surface.raised, 1)
        .fill();
    }
    text.line(span.text, x, y, { ...style, color });
    if (span.strike) rule(doc, { x, y: y - look.size * 0.3, width, color });
    if (span.href !== undefined) {
      rule(doc, { x, y: y + look.size * 0.15, width, color });
      doc.link(x, y - look.size, width, look.size * 1.3, span.href);
    }
    x += width;
  }
}

const linkColor = ({ dark }: Paper['theme']): string => (dark ? '#8ab4f8' : '#0b57d0');

export function rule(
  doc: PDFKit.PDFDocument,
  { x, y, width, color }: { x: number; y: number; width: number; color: string },
): void {
  doc
    .moveTo(x, y)
    .lineTo(x + width, y)
    .lineWidth(0.5)
    .strokeColor(color, 1)
    .stroke();
}
