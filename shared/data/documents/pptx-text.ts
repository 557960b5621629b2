import type Library from 'pptxgenjs';
import type { TextPart, TextRow, TextSpan } from '../../platform/text/markdown/text-parts.ts';
import { printable } from '../charts/svg.ts';
import { runsFromRight } from './article.ts';
import { SLIDE_TEXT, type SlidePart, sizeOf, slideTexts } from './slide-text.ts';

type Slide = Library.default.Slide;
type Run = Library.default.TextProps;

/** In inches. */
interface Place {
  x: number;
  y: number;
  w: number;
  h: number;
}

export interface SlideColors {
  text: string;
  muted: string;
  link: string;
}

const MONO = 'Courier New';
const POINTS_PER_INCH = 72;

/** Adds the text to slides, each of which `add` creates: lists, tables and links are native, and can be edited. */
export function addText(
  add: (index: number, count: number) => Slide,
  parts: readonly TextPart[],
  { place, font, colors }: Placing,
): Slide[] {
  const size = { width: place.w * POINTS_PER_INCH, height: place.h * POINTS_PER_INCH };
  const slides = slideTexts(parts, size);
  return slides.map((pieces, index) => {
    const slide = add(index, slides.length);
    let { y } = place;
    for (const piece of pieces) {
      const h = piece.height / POINTS_PER_INCH;
      const at = { place: { ...place, y, h }, font, colors };
      if (piece.kind === 'table') addTable(slide, piece.rows, at);
      else addParagraphs(slide, piece.parts, at);
      y += h;
    }
    return slide;
  });
}

interface Placing {
  place: Place;
  font: string;
  colors: SlideColors;
}

function addParagraphs(slide: Slide, parts: readonly SlidePart[], { place, font, colors }: Placing): void {
  const runs = parts.flatMap((part) => runsOf(part, colors));
  slide.addText(runs, { ...place, fontFace: font, color: colors.text, valign: 'top', margin: 0 });
}

function runsOf(part: SlidePart, colors: SlideColors): Run[] {
  const fontSize = sizeOf(part);
  // With an alignment, the library ends paragraphs where they say so, and not before each mark of a list.
  const paragraph = { fontSize, paraSpaceAfter: 6, breakLine: true, align: 'left' as const };
  switch (part.kind) {
    case 'divider':
      return [{ text: '———', options: { ...paragraph, color: colors.muted } }];
    case 'code':
      return part.text.split('\n').map((line, index, { length }) => ({
        text: printable(line),
        options: { ...paragraph, fontFace: MONO, paraSpaceAfter: index === length - 1 ? 6 : 0 },
      }));
    case 'heading':
      return ended(spanRuns(part.spans, { fontSize, bold: true, paraSpaceAfter: 6 }, colors), paragraph);
    case 'paragraph': {
      const { spans, depth, mark, isAside } = part;
      const level = depth + (isAside ? 1 : 0);
      const look = { fontSize, paraSpaceAfter: 6, ...(isAside && { color: colors.muted }) };
      const [first, ...rest] = spanRuns(spans, look, colors);
      const list = { ...look, ...(level > 0 && { indentLevel: level - 1, bullet: bulletOf(mark) }) };
      return ended([{ text: first?.text ?? '', options: { ...first?.options, ...list } }, ...rest], paragraph);
    }
  }
}

/** A text in a list without a mark of its own is as far from the left as the others: its mark is a space. */
function bulletOf(mark: string): NonNullable<Run['options']>['bullet'] {
  if (mark === '') return { characterCode: '00A0' };
  const number = Number.parseInt(mark, 10);
  return Number.isNaN(number) ? true : { type: 'number', numberStartAt: number };
}

/** The last run of a paragraph ends it. */
const ended = (runs: Run[], options: Run['options']): Run[] =>
  runs.map((run, index) =>
    index === runs.length - 1 ? { ...run, options: { ...options, ...run.options, breakLine: true } } : run,
  );

function spanRuns(spans: readonly TextSpan[], look: NonNullable<Run['options']>, colors: SlideColors): Run[] {
  const isReversed = runsFromRight(spans);
  return spans.flatMap(({ text, bold, italic, strike, code, href }) =>
    printable(text)
      .split(/(\n)/)
      .filter((piece) => piece !== '')
      .map(
        (piece): Run => ({
          text: piece === '\n' ? '' : piece,
          options: {
            ...look,
            ...(piece === '\n' && { softBreakBefore: true }),
            ...(bold && { bold }),
            ...(italic && { italic }),
            ...(strike && { strike: 'sngStrike' }),
            ...(code && { fontFace: MONO }),
            ...(isReversed && { rtlMode: true }),
            align: isReversed ? 'right' : 'left',
            ...(href !== undefined && { hyperlink: { url: href }, color: colors.link }),
          },
        }),
      ),
  );
}

function addTable(slide: Slide, rows: readonly TextRow[], { place, font, colors }: Placing): void {
  const columns = Math.max(1, ...rows.map(({ cells }) => cells.length));
  const none = { type: 'none' as const };
  const line = { type: 'solid' as const, pt: 0.5, color: colors.muted };
  const border = [none, none, line, none] as Library.default.TableCellProps['border'];
  const look = { fontSize: SLIDE_TEXT.cell, fontFace: font, color: colors.text };
  const written = rows.map(({ cells, isHeader }) =>
    Array.from({ length: columns }, (_, at) => ({
      text: spanRuns(cells[at] ?? [], { ...look, ...(isHeader && { bold: true }) }, colors) as unknown as string,
      options: { border, ...(isHeader && { bold: true }) },
    })),
  );
  slide.addTable(written, {
    ...{ x: place.x, y: place.y, w: place.w, ...look, margin: SLIDE_TEXT.cellPadding / POINTS_PER_INCH },
    colW: Array.from({ length: columns }, () => place.w / columns),
  });
}

/**
 * The library repeats the properties of a paragraph before each of its runs, which the format allows only before the
 * first one.
 */
export const withOneLookEach = (slide: string): string =>
  slide.replaceAll(/(<a:p>(?:<a:pPr\b.*?(?:\/>|<\/a:pPr>))?)(.*?)(?=<\/a:p>)/gs, (_, start: string, runs: string) => {
    return start + runs.replaceAll(/<a:pPr\b[^>]*?>.*?<\/a:pPr>/gs, '');
  });
