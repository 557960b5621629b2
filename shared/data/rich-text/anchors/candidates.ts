import { distance } from 'fastest-levenshtein';
import type { AnchorPlace } from './anchor-place.ts';
import type { BlockTexts, ChangedTexts } from './changed-texts.ts';
import { commonContext, isInWord } from './common-context.ts';
import { ownOccurrences } from './occurrences.ts';
import { placesOf } from './places-of.ts';
import { quoteAt } from './quotes.ts';
import { type Part, partsBetween, similarParts } from './similar-parts.ts';

/** A place where the text of an anchor may be now. */
export interface Candidate {
  block: BlockTexts;
  start: number;
  end: number;
  score: number;
}

const MIN_SCORE = 0.72;
/** Texts of fewer characters are found anywhere, so both sides have to be the same if they have moved. */
const MIN_LENGTH = 8;
/** So many characters in a row, in the quote and what surrounds it, are hardly the same by chance. */
const TELLING_LENGTH = 20;
/** Similar text in another block has little but itself to show that it was moved. */
const MIN_MOVED_LENGTH = 40;
const SURROUNDING = 12;
const NEAR_LENGTH = 16;
const NEAR_WEIGHT = 0.9;
const WEIGHTS = { quote: 50, prefix: 20, suffix: 20, place: 2 };

/**
 * The places where the text of an anchor may be, of which the best counts: the same words in its block; in another one,
 * or similar words in its block; similar words in its section. A step is taken if the ones before it find nothing.
 */
export function candidatesFor(
  place: AnchorPlace,
  texts: ChangedTexts,
  { isOrphan }: { isOrphan: boolean },
): Candidate[] {
  const isOwn = ({ blockId }: BlockTexts) => blockId === place.blockId;
  const exact = exactPlaces(place, texts, isOrphan);
  const inOwn = exact.filter(({ block }) => isOwn(block));
  if (inOwn.length > 0) return inOwn;
  const accepted = (parts: readonly Part[]) =>
    parts
      .filter((part) => !stoodBefore(othersIn(part.block, place, isOrphan), part))
      .map((part) => scored(part.block, place, part))
      .filter(({ score }) => score >= MIN_SCORE);
  const between = accepted(texts.changed.filter(isOwn).flatMap((block) => partsBetween(block, place.quote)));
  if (between.length > 0) return [...exact, ...between];
  const similar = accepted(similarParts(texts.searchIn(place.sectionId), place.quote));
  const next = [...exact, ...similar.filter(({ block }) => isOwn(block))];
  return next.length > 0 || place.quote.exact.length < MIN_MOVED_LENGTH ? next : similar;
}

function exactPlaces(place: AnchorPlace, texts: ChangedTexts, isOrphan: boolean): Candidate[] {
  const { exact } = place.quote;
  return ownOccurrences(place, texts, isOrphan)
    .map(({ block, start }) => scored(block, place, { start, end: start + exact.length, errors: 0 }))
    .filter(({ score, common }) => common >= TELLING_LENGTH || (exact.length >= MIN_LENGTH && score >= MIN_SCORE))
    .filter(
      ({ block, sides }) =>
        block.blockId === place.blockId || exact.length >= MIN_LENGTH || Math.min(...sides) >= MIN_LENGTH,
    );
}

/** Whether a part of a text is in the text of others as well; a short one together with what surrounds it. */
function stoodBefore(others: string, { block: { text }, start, end }: Part): boolean {
  const around = end - start < MIN_LENGTH ? SURROUNDING : 0;
  const [from, to] = [Math.max(0, start - around), Math.min(text.length, end + around)];
  return placesOf(others, text.slice(from, to)).some(
    (at) => isInWord(others, at) === isInWord(text, from) && isInWord(others, at + to - from) === isInWord(text, to),
  );
}

/** The text that stood in the block before the change without that of the anchor. */
function othersIn({ blockId, before }: BlockTexts, place: AnchorPlace, isOrphan: boolean): string {
  if (blockId !== place.blockId || isOrphan) return before;
  const end = place.start + place.quote.exact.length;
  return `${before.slice(0, place.start)}\u0000${before.slice(end)}`;
}

interface Scored extends Candidate {
  /** How many characters in a row are the same. */
  common: number;
  /** How many of them are before and after it. */
  sides: [number, number];
}

function scored(
  block: BlockTexts,
  place: AnchorPlace,
  { start, end, errors }: { start: number; end: number; errors: number },
): Scored {
  const { quote } = place;
  const found = quoteAt(block.text, start, end);
  const isOwn = block.blockId === place.blockId;
  const nearness = isOwn ? 1 - Math.abs(start - place.start) / Math.max(block.text.length, place.start, 1) : 0;
  const sum =
    WEIGHTS.quote * (1 - errors / quote.exact.length) +
    WEIGHTS.prefix * contextSimilarity(quote.prefix, found.prefix, (text) => text.slice(-NEAR_LENGTH)) +
    WEIGHTS.suffix * contextSimilarity(quote.suffix, found.suffix, (text) => text.slice(0, NEAR_LENGTH)) +
    WEIGHTS.place * nearness;
  const score = sum / (WEIGHTS.quote + WEIGHTS.prefix + WEIGHTS.suffix + WEIGHTS.place);
  const sides = commonContext(quote, found);
  return { block, start, end, score, sides, common: quote.exact.length - errors + sides[0] + sides[1] };
}

/**
 * How similar two texts beside a quote are, from 0 to 1; what is next to the quote says almost as much as all of it.
 */
const contextSimilarity = (one: string, other: string, side: (text: string) => string): number =>
  Math.max(similarity(one, other), NEAR_WEIGHT * similarity(side(one), side(other)));

function similarity(one: string, other: string): number {
  const longer = Math.max(one.length, other.length);
  return longer === 0 ? 1 : 1 - distance(one, other) / longer;
}
