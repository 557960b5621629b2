import { CONTEXT_LENGTH, type Quote } from './quotes.ts';

/** Beyond the end of the sentence, what is the same says less about a quote. */
const OUTSIDE_WEIGHT = 0.25;
/** The start or the end of a block says as much as so many characters. */
const EDGE_LENGTH = 8;
const SENTENCE_END = /[.!?:;\n]\s/;

/** How many characters before and after two quotes are the same, from the quotes outwards. */
export const commonContext = (one: Quote, other: Quote): [number, number] => [
  withEdge(commonEnd(one.prefix, other.prefix), one.prefix, other.prefix),
  withEdge(commonStart(one.suffix, other.suffix), one.suffix, other.suffix),
];

const withEdge = (common: number, one: string, other: string): number =>
  common === one.length && common === other.length && common < CONTEXT_LENGTH ? common + EDGE_LENGTH : common;

/** The same with less weight for other sentences. */
export function claimOf(one: Quote, other: Quote): number {
  const before = commonEnd(one.prefix, other.prefix);
  const after = commonStart(one.suffix, other.suffix);
  return weighted(before, beforeInSentence(one)) + weighted(after, afterInSentence(one));
}

const weighted = (common: number, inSentence: number): number =>
  common <= inSentence ? common : inSentence + (common - inSentence) * OUTSIDE_WEIGHT;

/** How many characters of the text after a quote belong to its sentence. */
function afterInSentence({ exact, suffix }: Quote): number {
  const end = (exact.slice(-1) + suffix).search(SENTENCE_END);
  return end < 0 ? suffix.length : end;
}

/** How many characters of the text before a quote belong to its sentence. */
function beforeInSentence({ prefix }: Quote): number {
  for (let at = prefix.length - 2; at >= 0; at -= 1) {
    if (SENTENCE_END.test(prefix.slice(at, at + 2))) return prefix.length - at - 2;
  }
  return prefix.length;
}

function commonEnd(one: string, other: string): number {
  const most = Math.min(one.length, other.length);
  let count = 0;
  while (count < most && one.at(-1 - count) === other.at(-1 - count)) count += 1;
  return count;
}

function commonStart(one: string, other: string): number {
  const most = Math.min(one.length, other.length);
  let count = 0;
  while (count < most && one[count] === other[count]) count += 1;
  return count;
}

const IN_WORD = /[\p{L}\p{M}\p{N}]/u;

/** Whether an offset of a text is within a word. */
export const isInWord = (text: string, at: number): boolean =>
  at > 0 && IN_WORD.test(text[at - 1]!) && IN_WORD.test(text[at] ?? '');

/** Whether the start and the end of a quote are within a word. */
export const cutsWords = ({ exact, prefix, suffix }: Quote): { atStart: boolean; atEnd: boolean } => {
  const around = prefix + exact + suffix;
  return { atStart: isInWord(around, prefix.length), atEnd: isInWord(around, prefix.length + exact.length) };
};
