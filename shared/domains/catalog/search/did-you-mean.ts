import { distance } from 'fastest-levenshtein';
import { placesOfOperators } from './operators.ts';
import { fold, wordsOf } from './words.ts';

const MIN_LENGTH = 4;

/** The words of names that exist for a caller. */
interface NameWords {
  isKnown(word: string): boolean;
  /** Those with at most so many typos, and in how many names each is. */
  namesNear(word: string, typos: number): ReadonlyMap<string, number>;
}

/** The query with its unknown words replaced by the nearest words of names; undefined if none is near. */
export function correctedQuery(query: string, names: NameWords): string | undefined {
  let corrected = '';
  let from = 0;
  let isChanged = false;
  const operators = placesOfOperators(query);
  for (const word of wordsOf(query)) {
    const isFixed = operators.some((place) => word.from >= place.from && word.to <= place.to);
    const nearest = isFixed || names.isKnown(word.text) ? undefined : nearestTo(word.text, names);
    corrected += query.slice(from, word.from) + (nearest ?? query.slice(word.from, word.to));
    from = word.to;
    isChanged ||= nearest !== undefined;
  }
  const suggested = fold(corrected + query.slice(from));
  return isChanged ? suggested : undefined;
}

/** Of equally near words the most frequent, then the first of the alphabet. */
function nearestTo(word: string, names: NameWords): string | undefined {
  if (word.length < MIN_LENGTH || /\p{N}/u.test(word)) return undefined;
  const near = [...names.namesNear(word, word.length < 8 ? 1 : 2)].map(([text, count]) => ({
    ...{ text, count, steps: distance(word, text) },
  }));
  return near.sort((a, b) => a.steps - b.steps || b.count - a.count || (a.text < b.text ? -1 : 1))[0]?.text;
}
