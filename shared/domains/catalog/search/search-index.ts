import MiniSearch, { type Query, type SearchOptions, type SearchResult } from 'minisearch';
import { MATCHED_PLACES, type MatchedPlace, type SearchDocument, type SearchedType } from './document.ts';
import { queryParts, satisfies } from './operators.ts';
import { type Unit, unitsOf } from './thesaurus.ts';
import { foldName, indexedTerms, stemOf, wordsOf } from './words.ts';

const BOOST = { name: 4, aliases: 3, description: 1, context: 1 } as const;
/** The weight of other words for what was asked. */
const ALTERNATIVE = 0.6;
const CERTIFIED = 1.25;
const PRIOR: Partial<Record<SearchedType, number>> = { metric: 1.2, dashboard: 1.15, model: 1.1, field: 0.9 };

/** Later passes, which match less well, are skipped once there are so many hits. */
const ENOUGH = 5;
export const MAX_WORDS = 12;
/** Words that occur more often than once in so many documents say little alone. */
const FREQUENT = 0.2;
const FUZZY_FROM = 5;
const VERY_FUZZY_FROM = 9;
const MIN_PREFIX = 2;

/** How documents match: all words as written, all with typos, or some of the words. */
export const MATCHINGS = ['all', 'fuzzy', 'any'] as const;
export type Matching = (typeof MATCHINGS)[number];

export interface Hit {
  document: SearchDocument;
  matchedOn: MatchedPlace[];
  /** The words of the document that matched, folded. */
  terms: readonly string[];
  matching: Matching;
}

interface Pass {
  matching: Matching;
  fields: readonly MatchedPlace[];
  combineWith: 'AND' | 'OR';
  isFuzzy: boolean;
  isExpanded: boolean;
}

const NAMES = ['name', 'aliases'] as const;
const PASSES: readonly Pass[] = [
  { matching: 'all', fields: NAMES, combineWith: 'AND', isFuzzy: false, isExpanded: false },
  { matching: 'all', fields: NAMES, combineWith: 'AND', isFuzzy: false, isExpanded: true },
  { matching: 'all', fields: MATCHED_PLACES, combineWith: 'AND', isFuzzy: false, isExpanded: true },
  { matching: 'fuzzy', fields: NAMES, combineWith: 'AND', isFuzzy: true, isExpanded: false },
  { matching: 'fuzzy', fields: MATCHED_PLACES, combineWith: 'AND', isFuzzy: true, isExpanded: true },
  { matching: 'any', fields: MATCHED_PLACES, combineWith: 'OR', isFuzzy: true, isExpanded: true },
];

interface Scored extends Hit {
  tier: number;
  score: number;
}

/** The words of a workspace's documents. Its results depend only on the documents that it has, not on their history. */
export class SearchIndex {
  readonly #documents = new Map<string, SearchDocument>();
  readonly #exact = new Map<string, Set<string>>();
  readonly #index = new MiniSearch<SearchDocument>({
    idField: 'key',
    fields: [...MATCHED_PLACES],
    extractField: (document, field) => {
      const value = document[field as keyof SearchDocument];
      return Array.isArray(value) ? value.join(' \n ') : (value as string);
    },
    tokenize: indexedTerms,
    processTerm: (term) => {
      this.#frequencies.set(term, (this.#frequencies.get(term) ?? 0) + this.#counting);
      return term;
    },
    autoVacuum: false,
  });
  /** How often each term occurs in the documents. */
  readonly #frequencies = new Map<string, number>();
  /** What a term that is added or removed counts. */
  #counting: 1 | -1 = 1;

  get size(): number {
    return this.#documents.size;
  }

  /** Makes these the documents of the index. */
  update(documents: readonly SearchDocument[]): void {
    const wanted = new Map(documents.map((each) => [each.key, each]));
    for (const [key, document] of this.#documents) {
      const next = wanted.get(key);
      if (!next || !isSame(document, next)) this.#remove(document);
    }
    for (const document of wanted.values()) if (!this.#documents.has(document.key)) this.#add(document);
  }

  /**
   * The documents among `visible` that match, best first. The others do not exist for the search. A query that is an
   * exact name has no operators.
   */
  search(query: string, visible: ReadonlySet<string>): { hits: Hit[]; matching: Matching } {
    const exact = [...(this.#exact.get(foldName(query)) ?? [])].filter((key) => visible.has(key));
    const parts = exact.length > 0 ? { text: query, phrases: [], excluded: [] } : queryParts(query);
    const hits = new Map<string, Scored>(exact.map((key) => [key, this.#exactHit(key, query)]));
    const words = wordsOf(parts.text).slice(0, MAX_WORDS);
    const units = unitsOf(words.map((each) => each.text));
    for (const [index, pass] of passesFor(units)) {
      if (pass.matching !== 'all' && (exact.length > 0 || hits.size >= ENOUGH)) break;
      const asked = pass.combineWith === 'OR' ? this.#tellingUnits(units) : units;
      for (const result of this.#run(asked, pass, visible)) {
        if (hits.has(result.id) || !satisfies(this.#documents.get(result.id)!, parts)) continue;
        hits.set(result.id, this.#scored(result, index + 1));
      }
    }
    const found = sorted(hits);
    return { hits: found, matching: found[0]?.matching ?? 'any' };
  }

  /** Those without words that many documents have, such as `of`: alone they say nothing. All if there are no others. */
  #tellingUnits(units: readonly Unit[]): readonly Unit[] {
    const isFrequent = (word: string) => (this.#frequencies.get(word) ?? 0) > this.size * FREQUENT;
    const telling = units.filter(({ words }) => !words.every(isFrequent));
    return telling.length > 0 ? telling : units;
  }

  #run(units: readonly Unit[], pass: Pass, visible: ReadonlySet<string>): SearchResult[] {
    return this.#index.search(
      {
        combineWith: pass.combineWith,
        queries: units.map((unit, index) => unitQuery(unit, pass, index === units.length - 1)),
      },
      {
        fields: [...pass.fields],
        boost: BOOST,
        tokenize: (term) => [term],
        processTerm: (term) => term,
        boostDocument: (key) => (visible.has(key) ? 1 : 0),
      },
    );
  }

  #exactHit(key: string, text: string): Scored {
    const document = this.#documents.get(key)!;
    const place = foldName(document.name) === foldName(text) ? 'name' : 'aliases';
    return {
      document,
      matchedOn: [place],
      terms: wordsOf(text).map((each) => each.text),
      matching: 'all',
      tier: 0,
      score: (place === 'name' ? 2 : 1) * priorOf(document),
    };
  }

  #scored({ id, score, match }: SearchResult, tier: number): Scored {
    const document = this.#documents.get(id)!;
    const places = new Set(Object.values(match).flat());
    return {
      document,
      matchedOn: MATCHED_PLACES.filter((place) => places.has(place)),
      terms: Object.keys(match),
      matching: PASSES[tier - 1]!.matching,
      tier,
      score: score * priorOf(document),
    };
  }

  #add(document: SearchDocument): void {
    this.#documents.set(document.key, document);
    this.#counting = 1;
    this.#index.add(document);
    for (const name of exactNames(document)) {
      const keys = this.#exact.get(name) ?? new Set();
      this.#exact.set(name, keys.add(document.key));
    }
  }

  #remove(document: SearchDocument): void {
    this.#documents.delete(document.key);
    this.#counting = -1;
    this.#index.remove(document);
    for (const name of exactNames(document)) {
      const keys = this.#exact.get(name);
      keys?.delete(document.key);
      if (keys?.size === 0) this.#exact.delete(name);
    }
  }
}

/** Without other words for the query, a pass for these finds what the one before it has found. */
function passesFor(units: readonly Unit[]): [index: number, pass: Pass][] {
  if (units.length === 0) return [];
  const isExpandable = units.some(({ alternatives }) => alternatives.length > 0);
  return [...PASSES.entries()].filter(([, pass]) => isExpandable || !pass.isExpanded || pass.fields !== NAMES);
}

const exactNames = ({ name, aliases, id }: SearchDocument): Set<string> =>
  new Set([name, ...aliases, id].map(foldName));

const isSame = (a: SearchDocument, b: SearchDocument): boolean => a === b || JSON.stringify(a) === JSON.stringify(b);

const priorOf = ({ type, isCertified }: SearchDocument): number => (PRIOR[type] ?? 1) * (isCertified ? CERTIFIED : 1);

/** Sums of different order differ by their last bits, which must not decide. */
const rounded = (score: number): number => Number(score.toPrecision(9));

function sorted(hits: ReadonlyMap<string, Scored>): Hit[] {
  return [...hits.values()]
    .sort(
      (a, b) =>
        a.tier - b.tier ||
        rounded(b.score) - rounded(a.score) ||
        a.document.name.localeCompare(b.document.name, 'en') ||
        (a.document.key < b.document.key ? -1 : 1),
    )
    .map(({ document, matchedOn, terms, matching }) => ({ document, matchedOn, terms, matching }));
}

type Branch = Query & object;
type Options = Pick<SearchOptions, 'boost' | 'prefix' | 'fuzzy'>;

const and = (queries: Query[], options: Options = {}): Branch => ({ combineWith: 'AND', queries, ...options });
const or = (queries: Query[], options: Options = {}): Branch => ({ combineWith: 'OR', queries, ...options });

function unitQuery({ words, alternatives }: Unit, pass: Pass, isLast: boolean): Query {
  const asked = and(words.map((word, index) => wordQuery(word, pass, isLast && index === words.length - 1)));
  if (!pass.isExpanded || alternatives.length === 0) return asked;
  const boost = Object.fromEntries(Object.entries(BOOST).map(([field, weight]) => [field, weight * ALTERNATIVE]));
  const plain = { ...pass, isFuzzy: false };
  const others = alternatives.map((phrase) =>
    and(
      phrase.map((word) => wordQuery(word, plain, false)),
      { boost },
    ),
  );
  return or([asked, ...others]);
}

/** The last word may still be in the making, so it is also a beginning. */
function wordQuery(word: string, { isFuzzy }: Pass, isLast: boolean): Query {
  const hasDigit = /\p{N}/u.test(word);
  const fuzzy = !isFuzzy || hasDigit || word.length < FUZZY_FROM ? false : word.length < VERY_FUZZY_FROM ? 1 : 2;
  const written = and([word], { prefix: isLast && word.length >= MIN_PREFIX, fuzzy });
  const stem = stemOf(word);
  return stem === word ? written : or([written, and([stem], { prefix: false, fuzzy: false })]);
}
