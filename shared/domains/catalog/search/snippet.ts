import { stemOf, wordsOf } from './words.ts';

export interface Snippet {
  text: string;
  /** The start and the end of each matching word, as offsets in UTF-16 code units of the text. */
  marks: [number, number][];
}

const MAX_LENGTH = 200;
/** How much of the text stands before the first match. */
const LEAD = 40;

/** The part of a text around its first matching word; the beginning if none matches, null without a text. */
export function snippetOf(text: string, terms: readonly string[]): Snippet | null {
  if (text.trim() === '') return null;
  const matched = new Set(terms.flatMap((term) => [term, stemOf(term)]));
  const found = wordsOf(text).filter((word) => matched.has(word.text) || matched.has(stemOf(word.text)));
  const first = found[0]?.from ?? 0;
  const start = first + LEAD < MAX_LENGTH ? 0 : wordStart(text, first - LEAD);
  const end = wholeCharacters(text, Math.min(text.length, start + MAX_LENGTH));
  const marks = found
    .filter(({ from, to }) => from >= start && to <= end)
    .map(({ from, to }): [number, number] => [from - start, to - start]);
  return { text: text.slice(start, end), marks };
}

function wordStart(text: string, at: number): number {
  const space = text.slice(0, at).search(/\S+$/);
  return space === -1 || at - space > LEAD ? wholeCharacters(text, at) : space;
}

/** Never between the halves of a character. */
function wholeCharacters(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff ? at - 1 : at;
}
