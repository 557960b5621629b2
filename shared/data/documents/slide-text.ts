import type { TextPart, TextRow, TextSpan } from '../../platform/text/markdown/text-parts.ts';
import { textWidth } from '../charts/text-width.ts';
import { articleLines } from './article-lines.ts';

/** In points. */
export const SLIDE_TEXT = { body: 16, code: 12, cell: 12, headings: { 1: 22, 2: 19, 3: 17, 4: 16 }, cellPadding: 3.6 };
const LEADING = 1.25;
const INDENT = 27;
const AFTER = 6;
const TABLE_GAP = 12;

export type SlidePart = Exclude<TextPart, { kind: 'table' }>;

/** What stands below each other on a slide, with its height in points. */
export type SlidePiece =
  | { kind: 'text'; parts: SlidePart[]; height: number }
  | { kind: 'table'; rows: TextRow[]; height: number };

/** The text on as many slides as it needs, whose text has the size. */
export function slideTexts(parts: readonly TextPart[], size: { width: number; height: number }): SlidePiece[][] {
  const slides: SlidePiece[][] = [[]];
  let used = 0;
  /** Returns whether it began a slide. */
  const room = (height: number): boolean => {
    const isNew = used > 0 && used + height > size.height;
    if (isNew) slides.push([]);
    if (isNew) used = 0;
    used += height;
    return isNew;
  };
  const addText = (part: SlidePart, height: number) => {
    room(height);
    const last = slides.at(-1)!.at(-1);
    if (last?.kind === 'text') {
      last.parts.push(part);
      last.height += height;
    } else slides.at(-1)!.push({ kind: 'text', parts: [part], height });
  };
  for (const part of parts) {
    if (part.kind === 'table') {
      const [header] = part.rows;
      room(TABLE_GAP);
      slides.at(-1)!.push({ kind: 'table', rows: [], height: TABLE_GAP });
      for (const [index, row] of part.rows.entries()) {
        const height = rowHeight(row, size.width);
        // Further slides repeat the heading of the table.
        const repeated = index > 0 && header!.isHeader ? [header!] : [];
        if (room(height)) {
          used += repeated.length * rowHeight(header!, size.width);
          slides.at(-1)!.push({ kind: 'table', rows: [...repeated], height: TABLE_GAP + used - height });
        }
        const table = slides.at(-1)!.at(-1) as Extract<SlidePiece, { kind: 'table' }>;
        table.rows.push(row);
        table.height += height;
      }
    } else for (const piece of pieces(part, size)) addText(piece, partHeight(piece, size.width));
  }
  return slides.map((slide) => slide.filter((piece) => piece.kind === 'text' || piece.rows.length > 0));
}

const measured = (fontSize: number, isBold: boolean) => (text: string, span: TextSpan) =>
  textWidth(text, fontSize, { isBold: isBold || span.bold === true, isMono: span.code === true });

function linesOf(part: SlidePart, width: number) {
  if (part.kind === 'code') {
    const spans = [{ text: part.text, code: true }];
    return articleLines(spans, width, measured(SLIDE_TEXT.code, false));
  }
  if (part.kind === 'divider') return [[]];
  const left = part.kind === 'paragraph' ? INDENT * (part.depth + (part.isAside ? 1 : 0)) : 0;
  return articleLines(part.spans, width - left, measured(sizeOf(part), part.kind === 'heading'));
}

export function sizeOf(part: SlidePart): number {
  if (part.kind === 'heading') return SLIDE_TEXT.headings[part.level];
  return part.kind === 'code' ? SLIDE_TEXT.code : SLIDE_TEXT.body;
}

const partHeight = (part: SlidePart, width: number): number =>
  linesOf(part, width).length * sizeOf(part) * LEADING + AFTER;

const rowHeight = ({ cells }: TextRow, width: number): number => {
  const wide = width / Math.max(1, cells.length) - 2 * SLIDE_TEXT.cellPadding;
  const lines = cells.map((spans) => articleLines(spans, wide, measured(SLIDE_TEXT.cell, false)).length);
  return Math.max(1, ...lines) * SLIDE_TEXT.cell * LEADING + 2 * SLIDE_TEXT.cellPadding;
};

/** A text that is higher than a slide, in pieces between its lines. */
function pieces(part: SlidePart, { width, height }: { width: number; height: number }): SlidePart[] {
  if (part.kind === 'divider' || partHeight(part, width) <= height) return [part];
  const lines = linesOf(part, width);
  const count = Math.max(1, Math.floor((height - AFTER) / (sizeOf(part) * LEADING)));
  const groups = Array.from({ length: Math.ceil(lines.length / count) }, (_, at) =>
    lines.slice(at * count, (at + 1) * count),
  );
  if (part.kind === 'code')
    return groups.map((group) => ({
      kind: 'code',
      text: group.map((line) => line.map(({ text }) => text).join('')).join('\n'),
    }));
  return groups.map((group, index) => ({
    ...part,
    ...(index > 0 && part.kind === 'paragraph' && { mark: '' }),
    spans: group.flatMap((line, at) => (at === 0 ? line : [{ text: ' ' }, ...line])),
  }));
}
