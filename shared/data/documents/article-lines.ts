import type { TextSpan } from '../../platform/text/markdown/text-parts.ts';

export type Measure = (text: string, span: TextSpan) => number;

/** A line of a text: pieces in one look each, from the left. */
export type ArticleLine = readonly TextSpan[];

/** What is not divided, and the spaces before it. */
interface Word {
  space: TextSpan | undefined;
  pieces: TextSpan[];
}

/**
 * The lines of a text of the width. Lines end between words; a word that is wider than a line is divided where it has
 * to be, so that no character is lost.
 */
export function articleLines(spans: readonly TextSpan[], width: number, measure: Measure): ArticleLine[] {
  const widthOf = (pieces: readonly TextSpan[]) => pieces.reduce((sum, piece) => sum + measure(piece.text, piece), 0);
  return hardLines(spans).flatMap((line) => {
    const lines: TextSpan[][] = [[]];
    let used = 0;
    for (const { space, pieces } of wordsOf(line)) {
      const gap = space && used > 0 ? [space] : [];
      const wide = widthOf([...gap, ...pieces]);
      if (used === 0 || used + wide <= width) {
        lines.at(-1)!.push(...gap, ...pieces);
        used += wide;
      } else {
        lines.push([...pieces]);
        used = widthOf(pieces);
      }
      if (used <= width) continue;
      const divided = dividedLines(lines.pop()!, width, measure);
      lines.push(...divided);
      used = widthOf(divided.at(-1)!);
    }
    return lines.map(joined);
  });
}

/** The pieces between line breaks. */
function hardLines(spans: readonly TextSpan[]): TextSpan[][] {
  const lines: TextSpan[][] = [[]];
  for (const span of spans) {
    for (const [index, text] of span.text.split(/\r\n|\r|\n/).entries()) {
      if (index > 0) lines.push([]);
      if (text !== '') lines.at(-1)!.push({ ...span, text });
    }
  }
  return lines;
}

/** Pieces without spaces between them are one word, whatever their looks. */
function wordsOf(line: readonly TextSpan[]): Word[] {
  const words: Word[] = [];
  let space: TextSpan | undefined;
  let isOpen = false;
  for (const span of line) {
    for (const text of span.text.split(/([ \t]+)/).filter((each) => each !== '')) {
      const piece = { ...span, text };
      if (/^[ \t]/.test(text)) {
        space = { ...piece, text: text.replaceAll('\t', ' ') };
        isOpen = false;
      } else if (isOpen) words.at(-1)!.pieces.push(piece);
      else {
        words.push({ space, pieces: [piece] });
        isOpen = true;
      }
    }
  }
  return words;
}

function dividedLines(pieces: readonly TextSpan[], width: number, measure: Measure): TextSpan[][] {
  const lines: TextSpan[][] = [[]];
  let used = 0;
  for (const piece of pieces) {
    for (const character of graphemes(piece.text)) {
      const wide = measure(character, piece);
      if (used > 0 && used + wide > width) {
        lines.push([]);
        used = 0;
      }
      lines.at(-1)!.push({ ...piece, text: character });
      used += wide;
    }
  }
  return lines.map(joined);
}

const SEGMENTER = new Intl.Segmenter();
const graphemes = (text: string): string[] => Array.from(SEGMENTER.segment(text), ({ segment }) => segment);

/** Neighbours of one look as one piece, for which writers find the order of its letters. */
function joined(pieces: readonly TextSpan[]): TextSpan[] {
  const found: TextSpan[] = [];
  for (const piece of pieces) {
    const last = found.at(-1);
    if (last && isSameLook(last, piece)) found[found.length - 1] = { ...last, text: last.text + piece.text };
    else found.push(piece);
  }
  return found;
}

const isSameLook = (one: TextSpan, other: TextSpan): boolean =>
  (['bold', 'italic', 'strike', 'code', 'href'] as const).every((look) => one[look] === other[look]);
