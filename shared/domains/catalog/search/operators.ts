import { SEARCHED_TYPES, type SearchDocument, type SearchedType } from './document.ts';
import { fold, stemOf, wordsOf } from './words.ts';

/** A query in parts: `"paid orders" -refunds returns type:metric tag:finance`. */
export interface QueryParts {
  /** All words to find, also those of phrases. */
  text: string;
  /** Words that must follow each other. */
  phrases: readonly (readonly string[])[];
  /** Words that must not occur. */
  excluded: readonly string[];
  /** One of these; any type if empty. */
  types: readonly SearchedType[];
  /** All of these, folded. */
  tags: readonly string[];
}

const OPERATORS = /(?<!\S)(type|tag):(?:"([^"]+)"|(\S+))|"([^"]+)"|(?<!\S)-(\S+)/gi;

export const withoutOperators = (query: string): QueryParts => ({
  ...{ text: query, phrases: [], excluded: [], types: [], tags: [] },
});

/**
 * A query that only excludes words asks for nothing, so that its signs are not operators. Neither is `type:` before
 * another word than a type.
 */
export function queryParts(query: string): QueryParts {
  const phrases: string[][] = [];
  const excluded: string[] = [];
  const types: SearchedType[] = [];
  const tags: string[] = [];
  const text = query.replaceAll(
    OPERATORS,
    (all: string, operator?: string, quoted?: string, bare?: string, phrase?: string, word?: string) => {
      if (operator?.toLowerCase() === 'tag') {
        tags.push(foldTag(quoted ?? bare!));
        return ' ';
      }
      if (operator) {
        const type = typeOf(quoted ?? bare!);
        if (!type) return all;
        types.push(type);
        return ' ';
      }
      if (phrase !== undefined) {
        phrases.push(stemsOf(phrase));
        return ` ${phrase} `;
      }
      excluded.push(...stemsOf(word!));
      return ' ';
    },
  );
  const isFiltered = types.length + tags.length > 0;
  if (wordsOf(text).length === 0 && !isFiltered) return withoutOperators(query);
  return { text, phrases: phrases.filter(({ length }) => length > 1), excluded, types, tags };
}

/** Where the types, tags and excluded words of a query are, which are no words to correct. */
export const placesOfOperators = (query: string): { from: number; to: number }[] =>
  [...query.matchAll(OPERATORS)]
    .filter(([, operator, , , , excluded]) => operator !== undefined || excluded !== undefined)
    .map(({ 0: text, index }) => ({ from: index, to: index + text.length }));

/** As tags are compared. */
export const foldTag = (tag: string): string => fold(tag).trim();

/** `saved-query` is the same as `saved_query`. */
function typeOf(text: string): SearchedType | undefined {
  const folded = fold(text).replaceAll('-', '_');
  return SEARCHED_TYPES.find((type) => type === folded);
}

/** Whether there are documents that do not satisfy the parts. */
export const filters = ({ phrases, excluded, types, tags }: QueryParts): boolean =>
  phrases.length + excluded.length + types.length + tags.length > 0;

/** Whether a document has the type, the tags and the phrases, and none of the excluded words. */
export function satisfies(document: SearchDocument, { phrases, excluded, types, tags }: QueryParts): boolean {
  if (types.length > 0 && !types.includes(document.type)) return false;
  if (tags.length > 0) {
    const own = new Set(document.tags.map(foldTag));
    if (!tags.every((tag) => own.has(tag))) return false;
  }
  if (phrases.length === 0 && excluded.length === 0) return true;
  const { name, aliases, description, context, columns } = document;
  const texts = [name, ...aliases, description, context, ...columns, ...document.tags].map(stemsOf);
  const has = (phrase: readonly string[]) =>
    texts.some((words) => words.some((_word, start) => phrase.every((word, index) => words[start + index] === word)));
  return phrases.every(has) && !excluded.some((word) => has([word]));
}

const stemsOf = (text: string): string[] => wordsOf(text).map((word) => stemOf(word.text));
