import type { Query, SearchOptions } from 'minisearch';
import type { MatchedPlace } from './document.ts';
import type { Unit } from './thesaurus.ts';
import { formsOf } from './words.ts';

export const FIELD_BOOSTS = { name: 4, aliases: 3, description: 0.25, context: 0.25, columns: 0.25, tags: 1 } as const;
export const NAMES = ['name', 'aliases'] as const satisfies readonly MatchedPlace[];

/** The weight of other words for what was asked. */
const ALTERNATIVE = 0.6;
const ALTERNATIVE_BOOSTS = Object.fromEntries(
  Object.entries(FIELD_BOOSTS).map(([field, weight]) => [field, weight * ALTERNATIVE]),
);

const FUZZY_FROM = 5;
const VERY_FUZZY_FROM = 9;
const MIN_PREFIX = 2;
/** A known word up to this length is an abbreviation rather than the beginning of a word: `ar`, `fte`. */
const MAX_ABBREVIATION = 3;

/** What matches a word besides its other forms. */
export interface Form {
  /** Words with typos. */
  isFuzzy: boolean;
  /** Other words for the same. */
  isExpanded: boolean;
}

type Branch = Query & object;
type Options = Pick<SearchOptions, 'boost' | 'prefix' | 'fuzzy'>;

const and = (queries: Query[], options: Options = {}): Branch => ({ combineWith: 'AND', queries, ...options });
const or = (queries: Query[], options: Options = {}): Branch => ({ combineWith: 'OR', queries, ...options });

/** Whether the index has the term: only those it has are looked up. */
type IsIndexed = (term: string) => boolean;

export function unitQuery({ words, alternatives }: Unit, form: Form, isLast: boolean, isIndexed: IsIndexed): Branch {
  const asked = and(
    words.map((word, index) => wordQuery(word, form.isFuzzy, isLast && index === words.length - 1, isIndexed)),
  );
  if (!form.isExpanded) return asked;
  const known = alternatives.filter((phrase) => phrase.every((word) => formsOf(word).some(isIndexed)));
  if (known.length === 0) return asked;
  const others = known.map((phrase) =>
    and(
      phrase.map((word) => or(formsOf(word).filter(isIndexed), AS_WRITTEN)),
      { boost: ALTERNATIVE_BOOSTS },
    ),
  );
  return or([asked, ...others]);
}

const AS_WRITTEN = { prefix: false, fuzzy: false } as const;

/** The last word may still be in the making, so it is also a beginning. */
function wordQuery(word: string, isFuzzy: boolean, isLast: boolean, isIndexed: IsIndexed): Query {
  const typos = isFuzzy && typosIn(word);
  const [written, ...others] = formsOf(word);
  const asked = and([written!], { prefix: isLast && word.length >= MIN_PREFIX, fuzzy: typos });
  const known = [...others, ...(typos ? swaps(word) : [])].filter(isIndexed);
  return known.length > 0 ? or([asked, or(known, AS_WRITTEN)]) : asked;
}

/** A word with so many letters that are wrong, missing or too many, and its other forms. */
export function near(word: string, typos: number, isIndexed: IsIndexed): Branch {
  const others = typos > 0 ? swaps(word) : formsOf(word);
  return or([and([word], { prefix: false, fuzzy: typos || false }), ...others.filter(isIndexed)], AS_WRITTEN);
}

function typosIn(word: string): number | false {
  if (word.length < FUZZY_FROM || /\p{N}/u.test(word)) return false;
  return word.length < VERY_FUZZY_FROM ? 1 : 2;
}

/** Two letters in the wrong order are one typo to people, and two to the library. */
function swaps(word: string): string[] {
  return Array.from({ length: word.length - 1 }, (_, at) => {
    const [before, first, second, after] = [word.slice(0, at), word[at]!, word[at + 1]!, word.slice(at + 2)];
    return before + second + first + after;
  });
}

/** The fields in which each term of a document matched. */
export type Match = Readonly<Record<string, readonly string[]>>;

/** Where the words of a query match: 1 whole in names, 2 as a beginning, 3 as other words, 4 elsewhere. */
export function tierFor(units: readonly Unit[]): (terms: readonly string[], match: Match) => number {
  const tiers = units.map((unit, index) => tierForUnit(unit, index === units.length - 1));
  return (terms, match) => {
    const named = namedTerms(terms, match);
    if (named.length === 0) return 4;
    let worst = 1;
    for (const tierOf of tiers) worst = Math.max(worst, tierOf(named));
    return worst;
  };
}

/** Loops, because this is asked of every result. */
function namedTerms(terms: readonly string[], match: Match): string[] {
  const named: string[] = [];
  for (const term of terms) {
    const fields = match[term]!;
    if (fields.includes('name') || fields.includes('aliases')) named.push(term);
  }
  return named;
}

function tierForUnit({ words, alternatives }: Unit, isLast: boolean): (named: readonly string[]) => number {
  const forms = words.map(formsOf);
  const others = alternatives.map((phrase) => phrase.map(formsOf));
  const last = words.at(-1)!;
  const before = forms.slice(0, -1);
  const isAbbreviation = alternatives.length > 0 && last.length <= MAX_ABBREVIATION;
  const [begun, expanded] = isAbbreviation ? [3, 2] : [2, 3];
  return (named) => {
    if (areNamed(named, forms)) return 1;
    const isBegun = isLast && areNamed(named, before) && isBeginning(named, last);
    if (isBegun && begun === 2) return begun;
    for (const phrase of others) if (areNamed(named, phrase)) return expanded;
    return isBegun ? begun : 4;
  };
}

function areNamed(named: readonly string[], words: readonly (readonly string[])[]): boolean {
  for (const forms of words) if (!isNamed(named, forms)) return false;
  return true;
}

function isNamed(named: readonly string[], forms: readonly string[]): boolean {
  for (const form of forms) if (named.includes(form)) return true;
  return false;
}

function isBeginning(named: readonly string[], word: string): boolean {
  for (const term of named) if (term.startsWith(word)) return true;
  return false;
}
