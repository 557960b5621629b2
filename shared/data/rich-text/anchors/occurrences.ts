import type { AnchorPlace } from './anchor-place.ts';
import type { BlockTexts, ChangedTexts } from './changed-texts.ts';
import { claimOf, cutsWords, isInWord } from './common-context.ts';
import { placesOf } from './places-of.ts';
import { type Quote, quoteAt } from './quotes.ts';

export interface Occurrence {
  block: BlockTexts;
  start: number;
}

/** For more, the words are too common to be followed. */
const MAX_CLAIMS = 600;
/** What surrounds a quote makes it unique, mostly. */
const SIDE_LENGTH = 16;

interface Claimant {
  blockId: string;
  quote: Quote;
  isOwn: boolean;
}

interface Claim {
  claimant: Claimant;
  occurrence: Occurrence;
  strength: number;
}

/**
 * Where exactly the words of an anchor are in the changed blocks, without the places that belong to the same words
 * elsewhere: each place where the words stood before claims the one that fits best, the strongest claims first. The own
 * place claims one as well; what is left is new. If its place is among the first, the anchor has that one only.
 */
export function ownOccurrences(place: AnchorPlace, texts: ChangedTexts, isOrphan: boolean): Occurrence[] {
  const { exact } = place.quote;
  const unmoved = isOrphan ? undefined : unmovedPlace(place, texts);
  if (unmoved) return [unmoved];
  const cuts = cutsWords(place.quote);
  const isWhole = (text: string, start: number) =>
    (cuts.atStart || !isInWord(text, start)) && (cuts.atEnd || !isInWord(text, start + exact.length));
  const inText = (text: string) => placesOf(text, exact).filter((start) => isWhole(text, start));
  const occurrences = texts.changed.flatMap((block) => inText(block.text).map((start) => ({ block, start })));
  const before = [...texts.changed.map(({ blockId, before: text }) => [blockId, text] as const), ...texts.removed];
  const claimants = before.flatMap(([blockId, text]) =>
    inText(text)
      .filter((start) => isOrphan || blockId !== place.blockId || start !== place.start)
      .map((start): Claimant => ({ blockId, quote: quoteAt(text, start, start + exact.length), isOwn: false })),
  );
  if (occurrences.length === 0 || occurrences.length * (claimants.length + 1) > MAX_CLAIMS) return [];
  const own: Claimant = { blockId: place.blockId, quote: place.quote, isOwn: true };
  const claims = [own, ...claimants]
    .flatMap((claimant) =>
      occurrences.map((occurrence) => ({ claimant, occurrence, strength: strengthOf(claimant, occurrence, exact) })),
    )
    .sort((one, other) => other.strength - one.strength);
  return assigned(claims, own, claimants.length);
}

/** The place in the same block, if the text on either side makes the quote unique, now and before. */
function unmovedPlace({ blockId, start, quote }: AnchorPlace, texts: ChangedTexts): Occurrence | undefined {
  const block = texts.blocks.get(blockId);
  if (!block) return undefined;
  const prefix = quote.prefix.slice(-SIDE_LENGTH);
  const suffix = quote.suffix.slice(0, SIDE_LENGTH);
  const isUnique = [prefix + quote.exact, quote.exact + suffix].every(
    (part) => placesOf(block.before, part).length === 1 && placesOf(block.text, part).length === 1,
  );
  const now = block.text.indexOf(prefix + quote.exact + suffix);
  const isOwn = block.before.startsWith(prefix + quote.exact, start - prefix.length);
  return isUnique && isOwn && now >= 0 ? { block, start: now + prefix.length } : undefined;
}

/** Everything else being equal, words stay in their block. */
function strengthOf({ blockId, quote }: Claimant, { block, start }: Occurrence, exact: string): number {
  const claim = claimOf(quote, quoteAt(block.text, start, start + exact.length));
  return claim + (blockId === block.blockId ? 8 : 0);
}

function assigned(claims: readonly Claim[], own: Claimant, others: number): Occurrence[] {
  const taken = new Set<Occurrence>();
  const served = new Set<Claimant>();
  for (const { claimant, occurrence } of claims) {
    if (served.has(claimant) || taken.has(occurrence)) continue;
    if (claimant === own) return [occurrence];
    served.add(claimant);
    taken.add(occurrence);
    if (served.size === others && !claims.some(({ occurrence: each }) => !taken.has(each))) return [];
  }
  return [];
}
