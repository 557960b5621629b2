import MiniSearch, { type Query, type SearchResult } from 'minisearch';
import { correctedQuery } from './did-you-mean.ts';
import { MATCHED_PLACES, type MatchedPlace, type SearchDocument, type SearchedType } from './document.ts';
import { filters, type QueryParts, queryParts, satisfies, withoutOperators } from './operators.ts';
import { FIELD_BOOSTS, type Form, type Match, NAMES, near, tierFor, unitQuery } from './queries.ts';
import { type Thesaurus, type Unit, unitsOf } from './thesaurus.ts';
import { foldName, formsOf, indexedTerms, isStemTerm, wordOfTerm, wordsOf } from './words.ts';

const CERTIFIED = 1.25;
const DEPRECATED = 0.6;
const PRIOR: Partial<Record<SearchedType, number>> = {
  metric: 1.2,
  dashboard: 1.15,
  model: 1.1,
  field: 0.9,
  card: 0.9,
};

/** Later passes, which match less well, are skipped once there are so many hits. */
const ENOUGH = 5;
export const MAX_WORDS = 12;
/** Words that occur more often than once in so many documents say little alone. */
const FREQUENT = 0.2;

/** How documents match: all words as written, all with typos, some of the words, or none of them but the meaning. */
export const MATCHINGS = ['all', 'fuzzy', 'any', 'meaning'] as const;
export type Matching = (typeof MATCHINGS)[number];

export interface Hit {
  /** Empty for a document that matches by its meaning alone. */
  matchedOn: MatchedPlace[];
  /** The words of the document that matched, folded. */
  terms: readonly string[];
}

interface Pass extends Form {
  matching: Matching;
  /** Its hits come after those of lower tiers. */
  tier: number;
  fields: readonly MatchedPlace[];
  combineWith: 'AND' | 'OR';
}

/** Of all words as written, the tiers 1 to 4 say where they match. */
const AS_WRITTEN: Pass = {
  ...{ matching: 'all', tier: 4, fields: MATCHED_PLACES, combineWith: 'AND', isFuzzy: false, isExpanded: true },
};
const INEXACT: readonly Pass[] = [
  { matching: 'fuzzy', tier: 5, fields: NAMES, combineWith: 'AND', isFuzzy: true, isExpanded: false },
  { matching: 'fuzzy', tier: 6, fields: MATCHED_PLACES, combineWith: 'AND', isFuzzy: true, isExpanded: true },
  { matching: 'any', tier: 7, fields: MATCHED_PLACES, combineWith: 'OR', isFuzzy: true, isExpanded: true },
];

/** Documents without any of the words stand among those with some of them. */
const BY_MEANING = { matching: 'meaning', tier: 7, match: {} } as const;
const MAX_BY_MEANING = 10;
/**
 * Tiers in which closeness of meaning changes the order. The words of a query in a name, also with typos, say more.
 */
const MEANT_TIERS: ReadonlySet<number> = new Set([4, 6, 7]);
/** Of reciprocal rank fusion: how little the first ranks differ. */
const FLATNESS = 60;

/** The documents that exist for a caller, by key. */
export interface Visible {
  has(key: string): boolean;
}

/** A document with what does not depend on the query. */
interface Indexed {
  key: string;
  document: SearchDocument;
  foldedName: string;
  prior: number;
  /** The place among all documents by name, by which equally good ones are sorted. */
  position: number;
}

interface Scored {
  indexed: Indexed;
  match: Match;
  matching: Matching;
  tier: number;
  score: number;
}

export interface Found {
  /** All that match, best first. */
  documents: SearchDocument[];
  /** Where and by which words one of them matches. */
  hitOf(document: SearchDocument): Hit;
  /** How the best one matches. */
  matching: Matching;
}

/** The words of a workspace's documents. Its results depend only on the documents that it has, not on their history. */
export class SearchIndex {
  /** In the order of their names. */
  #documents = new Map<string, Indexed>();
  readonly #exact = new Map<string, Set<Indexed>>();
  readonly #index = new MiniSearch<Indexed>({
    fields: [...MATCHED_PLACES],
    // The record itself is its id in the library, so that a result needs no look-up.
    extractField: (indexed, field) => {
      if (field === 'id') return indexed;
      const value = indexed.document[field as MatchedPlace];
      return typeof value === 'string' ? value : value.join(' \n ');
    },
    tokenize: indexedTerms,
    processTerm: (term) => {
      this.#frequencies.set(term, this.#frequencyOf(term) + this.#counting);
      return term;
    },
    autoVacuum: false,
  });
  /** How often each term occurs in the documents. */
  readonly #frequencies = new Map<string, number>();
  /** What a term that is added or removed counts. */
  #counting: 1 | -1 = 1;

  #changes = 0;

  get size(): number {
    return this.#documents.size;
  }

  /** Makes these the documents of the index. */
  update(documents: readonly SearchDocument[]): void {
    const wanted = new Map(documents.map((each) => [each.key, each]));
    let isChanged = false;
    for (const [key, indexed] of this.#documents) {
      const next = wanted.get(key);
      if (next && isSame(indexed.document, next)) continue;
      this.#remove(indexed);
      isChanged = true;
    }
    for (const document of wanted.values()) {
      if (this.#documents.has(document.key)) continue;
      this.#add(document);
      isChanged = true;
    }
    if (!isChanged) return;
    this.#changes += 1;
    this.#sort();
  }

  /** How often its documents have changed. */
  get changes(): number {
    return this.#changes;
  }

  /**
   * The documents among `visible` that match. The others do not exist for the search. A query that is an exact name has
   * no operators; one of operators alone finds all that they leave. `own` has other words that the workspace uses.
   * `nearest` has the keys of visible documents with a similar meaning, closest first.
   */
  search(query: string, visible: Visible, own?: Thesaurus, nearest: readonly string[] = []): Found {
    const named = this.#named(query, visible);
    const parts = named.length > 0 ? withoutOperators(query) : queryParts(query);
    const exact = this.#named(parts.text, visible).filter(({ document }) => satisfies(document, parts));
    const hits = exact.map((each) => exactHit(each, parts.text));
    const units = unitsOf(
      wordsOf(parts.text)
        .slice(0, MAX_WORDS)
        .map(({ text }) => text),
      own,
    );
    const tierOf = tierFor(units);
    const isFiltering = filters(parts);
    const add = (pass: Pass) => {
      const known = hits.length > 0 ? new Set(hits.map(({ indexed }) => indexed)) : undefined;
      for (const result of this.#run(units, pass, visible)) {
        const indexed = indexedOf(result);
        if (known?.has(indexed)) continue;
        if (isFiltering && !satisfies(indexed.document, parts)) continue;
        const { match, terms } = result;
        const tier = pass === AS_WRITTEN ? tierOf(terms, match) : pass.tier;
        // Sums of different order differ by their last bits, which must not decide.
        const score = Math.fround(result.score * indexed.prior);
        hits.push({ indexed, match, matching: pass.matching, tier, score });
      }
    };
    if (units.length === 0) hits.push(...this.#filtered(parts, visible));
    add(AS_WRITTEN);
    for (const pass of INEXACT) if (exact.length === 0 && hits.length < ENOUGH) add(pass);
    hits.sort(compareHits);
    if (nearest.length > 0) this.#addMeaning(hits, parts, nearest);
    let hitsByKey: Map<string, Scored> | undefined;
    return {
      documents: hits.map(({ indexed }) => indexed.document),
      hitOf: ({ key }) => {
        hitsByKey ??= new Map(hits.map((hit) => [hit.indexed.key, hit]));
        return hitOf(hitsByKey.get(key)!);
      },
      matching: hits[0]?.matching ?? 'any',
    };
  }

  /** The words of a query whose meaning may find more; undefined for an exact name, and for operators alone. */
  meantText(query: string, visible: Visible): string | undefined {
    const { text } = queryParts(query);
    const isNamed = [query, text].some((name) => this.#named(name, visible).length > 0);
    return isNamed || wordsOf(text).length === 0 ? undefined : text.trim().replace(/\s+/g, ' ');
  }

  /** In the order of their names. */
  *documents(): Generator<SearchDocument> {
    for (const { document } of this.#documents.values()) yield document;
  }

  /**
   * Adds what matches by its meaning alone, and orders the tiers that say little by both ranks: that of the words and
   * that of the meaning.
   */
  #addMeaning(hits: Scored[], parts: QueryParts, nearest: readonly string[]): void {
    const known = new Set(hits.map(({ indexed }) => indexed.key));
    const others = nearest
      .flatMap((key) => (known.has(key) ? [] : (this.#documents.get(key) ?? [])))
      .filter(({ document }) => satisfies(document, parts))
      .slice(0, MAX_BY_MEANING);
    const ranks = new Map(nearest.map((key, index) => [key, index + 1]));
    const places = new Map<number, number>();
    const rankOf = ({ tier, indexed }: Scored, hasWords: boolean) => {
      const place = (places.get(tier) ?? 0) + (hasWords ? 1 : 0);
      places.set(tier, place);
      const meant = ranks.get(indexed.key);
      return (hasWords ? 1 / (FLATNESS + place) : 0) + (meant === undefined ? 0 : 1 / (FLATNESS + meant));
    };
    const fused = new Map(hits.map((hit) => [hit, rankOf(hit, true)]));
    for (const indexed of others) {
      const hit: Scored = { ...BY_MEANING, indexed, score: 0 };
      fused.set(hit, rankOf(hit, false));
      hits.push(hit);
    }
    const order = new Map(hits.map((hit, index) => [hit, index]));
    hits.sort(
      (a, b) =>
        a.tier - b.tier ||
        (MEANT_TIERS.has(a.tier) ? fused.get(b)! - fused.get(a)! : 0) ||
        order.get(a)! - order.get(b)!,
    );
  }

  /** The query with its unknown words replaced by near words of visible names; undefined if none is near. */
  didYouMean(query: string, visible: Visible): string | undefined {
    return correctedQuery(query, {
      isKnown: (word) => this.#search(near(word, 0, this.#isIndexed), ['name'], visible).length > 0,
      namesNear: (word, typos) => {
        const counts = new Map<string, number>();
        for (const { match } of this.#search(near(word, typos, this.#isIndexed), ['name'], visible)) {
          for (const term of Object.keys(match)) {
            if (!isStemTerm(term)) counts.set(term, (counts.get(term) ?? 0) + 1);
          }
        }
        return counts;
      },
    });
  }

  #run(units: readonly Unit[], pass: Pass, visible: Visible): SearchResult[] {
    if (units.length === 0) return [];
    if (pass.combineWith === 'OR') {
      const asked = this.#tellingUnits(units);
      const queries = asked.map((unit) => unitQuery(unit, pass, unit === asked.at(-1), this.#isIndexed));
      return this.#search({ combineWith: 'OR', queries }, pass.fields, visible);
    }
    const queries = units.map((unit) => unitQuery(unit, pass, unit === units.at(-1), this.#isIndexed));
    const among = units.length === 1 ? undefined : this.#candidates(units, pass, visible);
    return this.#search({ combineWith: 'AND', queries }, pass.fields, visible, among);
  }

  /**
   * What has the rarest words of the query. Only these need a score: `of`, which half of the documents have, would
   * otherwise take most of the time.
   */
  #candidates(units: readonly Unit[], pass: Pass, visible: Visible): ReadonlySet<Indexed> {
    const [rarest] = units
      .slice(0, -1)
      .map((unit) => ({ unit, frequency: this.#frequencyOfUnit(unit) }))
      .sort((a, b) => a.frequency - b.frequency);
    const found = this.#search(unitQuery(rarest!.unit, pass, false, this.#isIndexed), pass.fields, visible);
    return new Set(found.map(indexedOf));
  }

  #frequencyOfUnit(unit: Unit): number {
    const phrases = [unit.words, ...unit.alternatives];
    const ofPhrase = (words: readonly string[]) => Math.min(...words.map((word) => this.#frequencyOfWord(word)));
    return phrases.reduce((sum, words) => sum + ofPhrase(words), 0);
  }

  #frequencyOfWord(word: string): number {
    return formsOf(word).reduce((sum, term) => sum + this.#frequencyOf(term), 0);
  }

  #isIndexed = (term: string): boolean => this.#frequencyOf(term) > 0;

  #frequencyOf(term: string): number {
    return this.#frequencies.get(term) ?? 0;
  }

  /** Those without words that many documents have, such as `of`: alone they say nothing. All if there are no others. */
  #tellingUnits(units: readonly Unit[]): readonly Unit[] {
    const most = this.size * FREQUENT;
    const isFrequent = (word: string) => formsOf(word).some((term) => this.#frequencyOf(term) > most);
    const asked = units.flatMap((unit) => [unit, ...wordsAlone(unit)]);
    const telling = asked.filter(({ words }) => !words.every(isFrequent));
    return telling.length > 0 ? telling : units;
  }

  /**
   * The score of a document does not depend on others, so whether it is visible is asked once, of each result. Without
   * `among`, which has some of the visible documents, all are scored.
   */
  #search(
    query: Query,
    fields: readonly MatchedPlace[],
    visible: Visible,
    among?: ReadonlySet<Indexed>,
  ): SearchResult[] {
    return this.#index.search(query, {
      fields: [...fields],
      boost: FIELD_BOOSTS,
      tokenize: (term) => [term],
      processTerm: (term) => term,
      ...(among
        ? { boostDocument: (indexed: Indexed) => (among.has(indexed) ? 1 : 0) }
        : { filter: (result: SearchResult) => visible.has(indexedOf(result).key) }),
    });
  }

  /** Without words to find, what `type:` and `tag:` leave. */
  #filtered(parts: QueryParts, visible: Visible): Scored[] {
    if (parts.types.length + parts.tags.length === 0) return [];
    return [...this.#documents.values()]
      .filter(({ key, document }) => satisfies(document, parts) && visible.has(key))
      .map((indexed) => ({ indexed, match: {}, matching: 'all', tier: 1, score: indexed.prior }));
  }

  /** What has exactly this name. */
  #named(name: string, visible: Visible): Indexed[] {
    return [...(this.#exact.get(foldName(name)) ?? [])].filter(({ key }) => visible.has(key));
  }

  /** Those that were in order stay so, which makes this fast after few changes. */
  #sort(): void {
    const sorted = [...this.#documents.values()].sort(compareNames);
    for (const [position, indexed] of sorted.entries()) indexed.position = position;
    this.#documents = new Map(sorted.map((indexed) => [indexed.key, indexed]));
  }

  #add(document: SearchDocument): void {
    const { key } = document;
    const indexed = { key, document, foldedName: foldName(document.name), prior: priorOf(document), position: 0 };
    this.#documents.set(key, indexed);
    this.#counting = 1;
    this.#index.add(indexed);
    for (const name of exactNames(document)) {
      const named = this.#exact.get(name) ?? new Set();
      this.#exact.set(name, named.add(indexed));
    }
  }

  #remove(indexed: Indexed): void {
    const { document } = indexed;
    this.#documents.delete(document.key);
    this.#counting = -1;
    this.#index.remove(indexed);
    for (const name of exactNames(document)) {
      const named = this.#exact.get(name);
      named?.delete(indexed);
      if (named?.size === 0) this.#exact.delete(name);
    }
  }
}

const compareNames = (a: Indexed, b: Indexed): number =>
  compareTexts(a.foldedName, b.foldedName) || compareTexts(a.key, b.key);

const indexedOf = ({ id }: SearchResult): Indexed => id;

const compareHits = (a: Scored, b: Scored): number =>
  a.tier - b.tier || b.score - a.score || a.indexed.position - b.indexed.position;

function exactHit(indexed: Indexed, text: string): Scored {
  const place = indexed.foldedName === foldName(text) ? 'name' : 'aliases';
  const match = Object.fromEntries(wordsOf(text).map((word) => [word.text, [place]]));
  return { indexed, match, matching: 'all', tier: 0, score: (place === 'name' ? 2 : 1) * indexed.prior };
}

function hitOf({ match }: Scored): Hit {
  const places = new Set(Object.values(match).flat());
  return {
    matchedOn: MATCHED_PLACES.filter((place) => places.has(place)),
    terms: Object.keys(match).map(wordOfTerm),
  };
}

/** Some words of a phrase are a match too. */
const wordsAlone = ({ words }: Unit): Unit[] =>
  words.length === 1 ? [] : words.map((word) => ({ words: [word], alternatives: [] }));

const exactNames = ({ name, aliases, id }: SearchDocument): Set<string> =>
  new Set([name, ...aliases, id].map(foldName));

const compareTexts = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Compares all members; a loop, because it is asked of every document whenever the records were read. */
function isSame(a: SearchDocument, b: SearchDocument): boolean {
  if (a === b) return true;
  for (const name in a) {
    const [own, other] = [a[name as keyof SearchDocument], b[name as keyof SearchDocument]];
    if (own !== other && !(isEmpty(own) && isEmpty(other)) && JSON.stringify(own) !== JSON.stringify(other))
      return false;
  }
  return true;
}

const isEmpty = (value: unknown): boolean => Array.isArray(value) && value.length === 0;

const priorOf = ({ type, isCertified, isDeprecated }: SearchDocument): number =>
  (PRIOR[type] ?? 1) * (isCertified ? CERTIFIED : isDeprecated ? DEPRECATED : 1);
