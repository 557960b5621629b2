import type { RichText } from '../nodes.ts';
import type { AnchorPlace } from './anchor-place.ts';
import { type Candidate, candidatesFor } from './candidates.ts';
import { type ChangedTexts, changedTexts } from './changed-texts.ts';
import { quoteAt } from './quotes.ts';

export const ANCHOR_STATES = ['anchored', 'moved', 'orphaned'] as const;

/** The text that a comment is about. */
export interface TextAnchor {
  /** Where the text was when the comment was written. */
  written: AnchorPlace;
  /** Where it was last found. An orphan keeps it, so that it comes back together with its text. */
  place: AnchorPlace;
  /** `moved`: the text is in another block than when the comment was written. */
  state: (typeof ANCHOR_STATES)[number];
  /** How certain the last change of place was, from 0 to 1. */
  score: number;
}

export interface Section {
  id: string;
  content: RichText;
}

/** An anchor at a place that was just found; see `findQuote`. */
export const newAnchor = (place: AnchorPlace): TextAnchor => ({ written: place, place, state: 'anchored', score: 1 });

/**
 * Finds the texts of anchors again after a change. `before` and `after` are the sections that changed; pass the anchors
 * in these sections and the orphans of the story. Text that stood in its block before is the text of others: an anchor
 * follows only its own text, or text that is new.
 */
export function reanchor(
  anchors: readonly TextAnchor[],
  before: readonly Section[],
  after: readonly Section[],
): TextAnchor[] {
  const texts = changedTexts(before, after);
  return anchors.map((anchor) => follow(anchor, texts));
}

function follow(anchor: TextAnchor, texts: ChangedTexts): TextAnchor {
  const { place, written } = anchor;
  const isOrphan = anchor.state === 'orphaned';
  const now = texts.blocks.get(place.blockId);
  if (!isOrphan && now && !now.isChanged) return placed(anchor, { ...place, sectionId: now.sectionId }, anchor.score);
  if (!isOrphan && !now && !texts.removed.has(place.blockId)) return anchor;
  const found =
    bestOf(candidatesFor(place, texts, { isOrphan })) ??
    (isOrphan && written !== place ? bestOf(candidatesFor(written, texts, { isOrphan })) : undefined);
  if (!found) return { ...anchor, state: 'orphaned', score: 0 };
  const { sectionId, blockId, text } = found.block;
  const quote = quoteAt(text, found.start, found.end);
  return placed(anchor, { sectionId, blockId, start: found.start, quote }, found.score);
}

const placed = (anchor: TextAnchor, place: AnchorPlace, score: number): TextAnchor => ({
  ...anchor,
  place,
  state: place.blockId === anchor.written.blockId ? 'anchored' : 'moved',
  score: Math.round(score * 100) / 100,
});

const bestOf = (candidates: readonly Candidate[]): Candidate | undefined =>
  candidates.reduce<Candidate | undefined>((best, each) => (!best || each.score > best.score ? each : best), undefined);
