import { distance } from 'fastest-levenshtein';
import { fold, stemOf, wordsOf } from './words.ts';

const MIN_LENGTH = 4;

/** The query with its unknown words replaced by the nearest words of these names; undefined if none is near. */
export function didYouMean(query: string, names: Iterable<string>): string | undefined {
  const known = new Map<string, number>();
  for (const name of names) for (const { text } of wordsOf(name)) known.set(text, (known.get(text) ?? 0) + 1);
  const stems = new Set([...known.keys()].map(stemOf));
  let corrected = '';
  let from = 0;
  let isChanged = false;
  for (const word of wordsOf(query)) {
    const nearest = stems.has(stemOf(word.text)) ? undefined : nearestTo(word.text, known);
    corrected += query.slice(from, word.from) + (nearest ?? query.slice(word.from, word.to));
    from = word.to;
    isChanged ||= nearest !== undefined;
  }
  const suggested = fold(corrected + query.slice(from));
  return isChanged ? suggested : undefined;
}

/** Of equally near words the most frequent, then the first of the alphabet. */
function nearestTo(word: string, known: ReadonlyMap<string, number>): string | undefined {
  if (word.length < MIN_LENGTH || /\p{N}/u.test(word)) return undefined;
  const allowed = word.length < 8 ? 1 : 2;
  const near = [...known].flatMap(([text, count]) => {
    if (Math.abs(text.length - word.length) > allowed) return [];
    const steps = distance(word, text);
    return steps <= allowed ? [{ text, count, steps }] : [];
  });
  return near.sort((a, b) => a.steps - b.steps || b.count - a.count || (a.text < b.text ? -1 : 1))[0]?.text;
}
