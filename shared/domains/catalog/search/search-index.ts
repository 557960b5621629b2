import MiniSearch, { type Query, type SearchResult } from 'minisearch';
import { correctedQuery } from './did-you-mean.ts';
import { MATCHED_PLACES, type MatchedPlace, type SearchDocument, type SearchedType } from './document.ts';
import { type QueryParts, queryParts, satisfies, withoutOperators } from './operators.ts';
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

/** How documents match: all words as written, all with typos, or some of the words. */
export const MATCHINGS = ['all', 'fuzzy', 'any'] as const;
export type Matching = (typeof MATCHINGS)[number];

export interface Hit {
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

/** The documents that exist for a caller, by key. */
export interface Visible {
  has(key: string): boolean;
}

/** A document with what does not depend on the query. */
interface Indexed {
  document: SearchDocument;
  /** What equally good documents are sorted by: the folded name. */
  sortName: string;
  prior: number;
}

interface Scored {
  document: SearchDocument;
  match: Match;
  matching: Matching;
  tier: number;
  score: number;
  /** What equally good documents are sorted by. */
  sortName: string;
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
  readonly #documents = new Map<string, Indexed>();
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
      this.#frequencies.set(term, this.#frequencyOf(term) + this.#counting);
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
    for (const [key, { document }] of this.#documents) {
      const next = wanted.get(key);
      if (!next || !isSame(document, next)) this.#remove(document);
    }
    for (const document of wanted.values()) if (!this.#documents.has(document.key)) this.#add(document);
  }

  /**
   * The documents among `visible` that match. The others do not exist for the search. A query that is an exact name has
   * no operators; one of operators alone finds all that they leave. `own` has other words that the workspace uses.
   */
  search(query: string, visible: Visible, own?: Thesaurus): Found {
    const named = this.#named(query, visible);
    const parts = named.length > 0 ? withoutOperators(query) : queryParts(query);
    const exact = this.#named(parts.text, visible).filter((key) =>
      satisfies(this.#documents.get(key)!.document, parts),
    );
    const hits = new Map<string, Scored>(exact.map((key) => [key, this.#exactHit(key, parts.text)]));
    const units = unitsOf(
      wordsOf(parts.text)
        .slice(0, MAX_WORDS)
        .map(({ text }) => text),
      own,
    );
    const tierOf = tierFor(units);
    const add = (pass: Pass) => {
      for (const result of this.#run(units, pass, visible)) {
        const { id, match, score } = result;
        const { document, sortName, prior } = this.#documents.get(id)!;
        if (hits.has(id) || !satisfies(document, parts)) continue;
        const tier = pass === AS_WRITTEN ? tierOf(match) : pass.tier;
        // Sums of different order differ by their last bits, which must not decide.
        const rounded = Math.fround(score * prior);
        hits.set(id, { document, match, matching: pass.matching, tier, score: rounded, sortName });
      }
    };
    if (units.length === 0) this.#addFiltered(hits, parts, visible);
    add(AS_WRITTEN);
    for (const pass of INEXACT) if (exact.length === 0 && hits.size < ENOUGH) add(pass);
    const found = sorted([...hits.values()]);
    return {
      documents: found.map(({ document }) => document),
      hitOf: ({ key }) => hitOf(hits.get(key)!),
      matching: found[0]?.matching ?? 'any',
    };
  }

  /** The query with its unknown words replaced by near words of visible names; undefined if none is near. */
  didYouMean(query: string, visible: Visible): string | undefined {
    return correctedQuery(query, {
      isKnown: (word) => this.#search(near(word, 0), ['name'], visible).length > 0,
      namesNear: (word, typos) => {
        const counts = new Map<string, number>();
        for (const { match } of this.#search(near(word, typos), ['name'], visible)) {
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
      const queries = asked.map((unit) => unitQuery(unit, pass, unit === asked.at(-1)));
      return this.#search({ combineWith: 'OR', queries }, pass.fields, visible);
    }
    const queries = units.map((unit) => unitQuery(unit, pass, unit === units.at(-1)));
    const isOne = units.length === 1;
    const among = isOne ? visible : this.#candidates(units, pass, visible);
    return this.#search({ combineWith: 'AND', queries }, pass.fields, among, !isOne);
  }

  /**
   * What has the rarest words of the query. Only these need a score: `of`, which half of the documents have, would
   * otherwise take most of the time.
   */
  #candidates(units: readonly Unit[], pass: Pass, visible: Visible): Visible {
    const [rarest] = units
      .slice(0, -1)
      .map((unit) => ({ unit, frequency: this.#frequencyOfUnit(unit) }))
      .sort((a, b) => a.frequency - b.frequency);
    const found = this.#search(unitQuery(rarest!.unit, pass, false), pass.fields, visible);
    return new Set(found.map(({ id }) => id));
  }

  #frequencyOfUnit(unit: Unit): number {
    const phrases = [unit.words, ...unit.alternatives];
    const ofPhrase = (words: readonly string[]) => Math.min(...words.map((word) => this.#frequencyOfWord(word)));
    return phrases.reduce((sum, words) => sum + ofPhrase(words), 0);
  }

  #frequencyOfWord(word: string): number {
    return formsOf(word).reduce((sum, term) => sum + this.#frequencyOf(term), 0);
  }

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
   * The score of a document does not depend on others, so whether it is visible is asked once, of each result. Of few
   * documents it is asked before, so that the others are not scored.
   */
  #search(query: Query, fields: readonly MatchedPlace[], visible: Visible, isFew = false): SearchResult[] {
    return this.#index.search(query, {
      fields: [...fields],
      boost: FIELD_BOOSTS,
      tokenize: (term) => [term],
      processTerm: (term) => term,
      ...(isFew
        ? { boostDocument: (key) => (visible.has(key) ? 1 : 0) }
        : { filter: ({ id }: SearchResult) => visible.has(id) }),
    });
  }

  /** Without words to find, what `type:` and `tag:` leave. */
  #addFiltered(hits: Map<string, Scored>, parts: QueryParts, visible: Visible): void {
    if (parts.types.length + parts.tags.length === 0) return;
    for (const { document, sortName, prior } of this.#documents.values()) {
      const { key } = document;
      if (!satisfies(document, parts) || !visible.has(key)) continue;
      hits.set(key, { document, match: {}, matching: 'all', tier: 1, score: prior, sortName });
    }
  }

  /** The keys of what has exactly this name. */
  #named(name: string, visible: Visible): string[] {
    return [...(this.#exact.get(foldName(name)) ?? [])].filter((key) => visible.has(key));
  }

  #exactHit(key: string, text: string): Scored {
    const { document, sortName, prior } = this.#documents.get(key)!;
    const place = sortName === foldName(text) ? 'name' : 'aliases';
    return {
      document,
      match: Object.fromEntries(wordsOf(text).map((word) => [word.text, [place]])),
      ...{ matching: 'all', tier: 0, score: (place === 'name' ? 2 : 1) * prior },
      sortName,
    };
  }

  #add(document: SearchDocument): void {
    this.#documents.set(document.key, { document, sortName: foldName(document.name), prior: priorOf(document) });
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

const sorted = (hits: Scored[]): Scored[] =>
  hits.sort(
    (a, b) =>
      a.tier - b.tier ||
      b.score - a.score ||
      compareTexts(a.sortName, b.sortName) ||
      compareTexts(a.document.key, b.document.key),
  );

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

function isSame(a: SearchDocument, b: SearchDocument): boolean {
  const names = Object.keys(a) as (keyof SearchDocument)[];
  return a === b || names.every((name) => a[name] === b[name] || JSON.stringify(a[name]) === JSON.stringify(b[name]));
}

const priorOf = ({ type, isCertified, isDeprecated }: SearchDocument): number =>
  (PRIOR[type] ?? 1) * (isCertified ? CERTIFIED : isDeprecated ? DEPRECATED : 1);
