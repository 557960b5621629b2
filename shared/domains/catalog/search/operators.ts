import type { SearchDocument } from './document.ts';
import { stemOf, wordsOf } from './words.ts';

/** A query in parts: `"paid orders" -refunds returns`. */
export interface QueryParts {
  /** All words to find, also those of phrases. */
  text: string;
  /** Words that must follow each other. */
  phrases: readonly (readonly string[])[];
  /** Words that must not occur. */
  excluded: readonly string[];
}

const OPERATORS = /"([^"]+)"|(?<!\S)-(\S+)/g;

/** A query that only excludes words asks for nothing, so that its signs are not operators. */
export function queryParts(query: string): QueryParts {
  const phrases: string[][] = [];
  const excluded: string[] = [];
  const text = query.replaceAll(OPERATORS, (_all, phrase?: string, word?: string) => {
    if (phrase !== undefined) {
      phrases.push(stemsOf(phrase));
      return ` ${phrase} `;
    }
    excluded.push(...stemsOf(word!));
    return ' ';
  });
  if (wordsOf(text).length === 0) return { text: query, phrases: [], excluded: [] };
  return { text, phrases: phrases.filter(({ length }) => length > 1), excluded };
}

/** Whether a document has the phrases, and none of the excluded words. */
export function satisfies(
  { name, aliases, description, context }: SearchDocument,
  { phrases, excluded }: QueryParts,
): boolean {
  if (phrases.length === 0 && excluded.length === 0) return true;
  const texts = [name, ...aliases, description, context].map(stemsOf);
  const has = (phrase: readonly string[]) =>
    texts.some((words) => words.some((_word, start) => phrase.every((word, index) => words[start + index] === word)));
  return phrases.every(has) && !excluded.some((word) => has([word]));
}

const stemsOf = (text: string): string[] => wordsOf(text).map((word) => stemOf(word.text));
