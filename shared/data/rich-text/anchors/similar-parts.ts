import { distance } from 'fastest-levenshtein';
import type { Match } from './approximate-search.ts';
import type { BlockTexts } from './changed-texts.ts';
import { cutsWords, isInWord } from './common-context.ts';
import { placesOf } from './places-of.ts';
import type { Quote } from './quotes.ts';
import type { SectionSearch } from './section-search.ts';

/** The share of a quote that may differ. */
const MAX_ERRORS = 0.2;
/** Similar texts of fewer characters are everywhere. */
const MIN_LENGTH = 8;
const MAX_SEARCHED = 200;
/** So many characters beside a quote tell where it begins or ends. */
const SIDE_LENGTH = 12;

export interface Part extends Match {
  block: BlockTexts;
}

/** The parts of changed blocks of a section that resemble a quote. */
export function similarParts(search: SectionSearch<BlockTexts>, quote: Quote): Part[] {
  if (quote.exact.length < MIN_LENGTH) return [];
  const maxErrors = Math.floor(quote.exact.length * MAX_ERRORS);
  return roughParts(search, quote.exact).flatMap((part) =>
    settled(part.block.text, quote, part, maxErrors).map((match) => ({ ...match, block: part.block })),
  );
}

/** Of a long quote, only the beginning and the end are searched. */
function roughParts(
  search: SectionSearch<BlockTexts>,
  exact: string,
): { block: BlockTexts; start: number; end: number }[] {
  const find = (pattern: string) => search.find(pattern, Math.floor(pattern.length * MAX_ERRORS));
  if (exact.length <= MAX_SEARCHED) return find(exact).map(({ block, match }) => ({ block, ...match }));
  const ends = find(exact.slice(-MAX_SEARCHED / 2));
  return find(exact.slice(0, MAX_SEARCHED / 2)).flatMap(({ block, match: { start } }) =>
    ends
      .filter((each) => each.block === block && each.match.end > start)
      .map(({ match: { end } }) => ({ block, start, end })),
  );
}

/** The parts of a block between the same text as before and after the quote. */
export function partsBetween(block: BlockTexts, { exact, prefix, suffix }: Quote): Part[] {
  const { text } = block;
  const maxErrors = Math.max(1, Math.floor(exact.length * MAX_ERRORS));
  const ends = endsOf(text, suffix);
  return startsOf(text, prefix).flatMap((start) =>
    ends
      .filter((end) => Math.abs(end - start - exact.length) <= maxErrors)
      .map((end) => ({ block, start, end, errors: distance(exact, text.slice(start, end)) }))
      // The same words are found by another step, which knows to whom they belong.
      .filter(({ errors }) => errors > 0 && errors <= maxErrors)
      .filter(
        ({ errors }) => errors * 2 < exact.length || text.slice(start, start + exact.length + errors).includes(exact),
      ),
  );
}

/** Where the text before a quote ends. */
function startsOf(text: string, prefix: string): number[] {
  const side = prefix.slice(-SIDE_LENGTH);
  const found = side === '' ? [0] : placesOf(text, side).map((at) => at + side.length);
  return prefix.length < SIDE_LENGTH ? found.filter((start) => start === prefix.length) : found;
}

function endsOf(text: string, suffix: string): number[] {
  const side = suffix.slice(0, SIDE_LENGTH);
  const found = side === '' ? [text.length] : placesOf(text, side);
  return suffix.length < SIDE_LENGTH ? found.filter((end) => end === text.length - suffix.length) : found;
}

/**
 * Places the ends of a match: where the text beside the quote is, if that is close; otherwise at the ends of words,
 * unless the quote itself began or ended within a word.
 */
function settled(
  text: string,
  quote: Quote,
  { start, end }: { start: number; end: number },
  maxErrors: number,
): Match[] {
  const cuts = cutsWords(quote);
  const from =
    nearest(startsOf(text, quote.prefix), start, maxErrors) ?? (cuts.atStart ? start : wordEdge(text, start, -1));
  const to = nearest(endsOf(text, quote.suffix), end, maxErrors) ?? (cuts.atEnd ? end : wordEdge(text, end, 1));
  const errors = from < to ? distance(quote.exact, text.slice(from, to)) : maxErrors + 1;
  return errors <= maxErrors ? [{ start: from, end: to, errors }] : [];
}

function nearest(places: readonly number[], to: number, within: number): number | undefined {
  const [first] = places
    .filter((place) => Math.abs(place - to) <= within)
    .sort((one, other) => Math.abs(one - to) - Math.abs(other - to));
  return first;
}

function wordEdge(text: string, from: number, step: 1 | -1): number {
  let at = from;
  while (isInWord(text, at)) at += step;
  return at;
}
