/** Hebrew, Arabic and their forms for presentation. */
export const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]/;

type Direction = 'left' | 'right';

/**
 * The parts of a line, each in one font, from left to right. Follows the algorithm of Unicode, without embeddings: the
 * first letter gives the line its direction, numbers follow the letters before them, and spaces and signs the text on
 * both of their sides.
 */
export function inVisualOrder<Part extends { text: string }>(parts: readonly Part[]): readonly Part[] {
  if (!parts.some(({ text }) => RIGHT_TO_LEFT.test(text))) return parts;
  const pieces = parts.flatMap(divide);
  const base = directionOfLetters(parts.map(({ text }) => text).join('')) ?? 'left';
  const directions = directionsOf(
    pieces.map(({ text }) => text),
    base,
  );
  const stretches: { direction: Direction; pieces: Part[] }[] = [];
  for (const [index, piece] of pieces.entries()) {
    const direction = directions[index]!;
    if (stretches.at(-1)?.direction === direction) stretches.at(-1)!.pieces.push(piece);
    else stretches.push({ direction, pieces: [piece] });
  }
  const ordered = stretches.map(({ direction, pieces }) =>
    direction === 'right' ? pieces.reverse().flatMap(fromRight) : pieces,
  );
  return (base === 'right' ? ordered.reverse() : ordered).flat();
}

function directionsOf(texts: readonly string[], base: Direction): Direction[] {
  let letters = base;
  const known = texts.map((text) => {
    letters = directionOfLetters(text) ?? letters;
    return HAS_DIRECTION.test(text) ? letters : undefined;
  });
  for (const [open, close] of pairsOfBrackets(texts)) {
    const within = new Set(known.slice(open, close));
    const before = known.slice(0, open).findLast((each) => each) ?? base;
    if (within.has('left') || within.has('right')) known[open] = known[close] = within.has(base) ? base : before;
  }
  return known.map((direction, index) => {
    const before = known.slice(0, index).findLast((each) => each) ?? base;
    const after = known.slice(index).find((each) => each) ?? base;
    return direction ?? (before === after ? before : base);
  });
}

function directionOfLetters(text: string): Direction | undefined {
  const letter = /\p{Letter}/u.exec(text)?.[0];
  if (letter === undefined) return undefined;
  return RIGHT_TO_LEFT.test(letter) ? 'right' : 'left';
}

function pairsOfBrackets(texts: readonly string[]): [open: number, close: number][] {
  const pairs: [number, number][] = [];
  const opened: number[] = [];
  for (const [index, text] of texts.entries()) {
    if ('([{'.includes(text)) opened.push(index);
    else if (')]}'.includes(text) && texts[opened.at(-1)!] === MIRRORED[text]) pairs.push([opened.pop()!, index]);
  }
  return pairs.sort(([first], [second]) => first - second);
}

const HAS_DIRECTION = /[\p{L}\p{N}]/u;
/** Letters and numbers, with the signs of numbers, and what stands before and after them. */
const PIECES = /^([^\p{L}\p{N}\p{Sc}%+\u2212-]*)(.*?)([^\p{L}\p{M}\p{N}\p{Sc}%]*)$/su;

/** The brackets, spaces and signs of a part, and what stands between them. */
function divide<Part extends { text: string }>(part: Part): Part[] {
  return part.text
    .split(/([()[\]{}])/)
    .flatMap((text) => PIECES.exec(text)!.slice(1))
    .filter((text) => text !== '')
    .map((text) => ({ ...part, text }));
}

/** Words one by one: the library writes words one after the other from the left, and the letters of each in order. */
function fromRight<Part extends { text: string }>(part: Part): Part[] {
  if (RIGHT_TO_LEFT.test(part.text)) {
    const words = part.text.split(/( +)/).filter((word) => word !== '');
    return words.reverse().map((text) => ({ ...part, text }));
  }
  if (HAS_DIRECTION.test(part.text)) return [part];
  const signs = part.text.match(/\p{RGI_Emoji}|./gsv) ?? [];
  return signs.reverse().map((text) => ({ ...part, text: MIRRORED[text] ?? text }));
}

const MIRRORED: Record<string, string> = {
  ...{ '(': ')', ')': '(', '[': ']', ']': '[', '{': '}', '}': '{' },
  ...{ '<': '>', '>': '<', '«': '»', '»': '«', '‹': '›', '›': '‹' },
};
