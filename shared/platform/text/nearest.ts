import { distance } from 'fastest-levenshtein';

/** A third of the characters may differ, which allows for typos but not for other words. */
const MAX_SHARE = 1 / 3;

/** The known name closest to a misspelled one; undefined if none is close. */
export function nearest(name: string, known: Iterable<string>): string | undefined {
  const typed = name.toLowerCase();
  let best: { name: string; edits: number } | undefined;
  for (const candidate of known) {
    const limit = Math.floor(Math.max(name.length, candidate.length) * MAX_SHARE);
    if (Math.abs(name.length - candidate.length) > limit) continue;
    const edits = editsBetween(typed, candidate.toLowerCase());
    if (edits <= limit && (best === undefined || edits < best.edits)) best = { name: candidate, edits };
  }
  return best?.name;
}

/** Two swapped neighbouring characters count as one edit, as in `limti`. */
function editsBetween(typed: string, candidate: string): number {
  const at = [...typed].findIndex((character, index) => character !== candidate[index]);
  const swapped = `${typed.slice(0, at)}${typed[at + 1] ?? ''}${typed[at] ?? ''}${typed.slice(at + 2)}`;
  return at >= 0 && swapped === candidate ? 1 : distance(typed, candidate);
}

/** Ends a sentence about an unknown name with the nearest known one, or with a full stop if none is close. */
export function didYouMean(name: string, known: Iterable<string>): string {
  const found = nearest(name, known);
  return found === undefined ? '.' : `; did you mean "${found}"?`;
}
