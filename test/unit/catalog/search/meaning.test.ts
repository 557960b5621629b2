import { beforeAll, describe, expect, it } from 'vitest';
import {
  CALIBRATION_TEXTS,
  calibrateThreshold,
  findNearest,
  matchVectors,
  textOf,
  type Vector,
  vectorFromText,
  vectorOf,
  vectorToText,
} from '../../../../shared/domains/catalog/meaning/index.ts';
import { hashOf } from '../../../../shared/domains/catalog/meaning/texts.ts';
import { cosine, decodeVectors, encodeVectors } from '../../../../shared/domains/catalog/meaning/vectors.ts';
import { type Found, type SearchDocument, SearchIndex } from '../../../../shared/domains/catalog/search/index.ts';
import { sample } from '../../../support/cases.ts';
import { directionOf, embedText } from '../../../support/embedder.ts';
import { COMPANY_DOCUMENTS, HELD_OUT_SLICES, JUDGED_SLICES } from './companies.ts';
import { DOCUMENTS, documentOf } from './fixture.ts';

type Embedder = (text: string) => number[];

/** As the provider's vectors are kept. */
function vector(members: number[]): Vector {
  const largest = Math.max(...members.map(Math.abs));
  return vectorOf(Int8Array.from(members, (member) => Math.round((member / largest) * 127)));
}

const thresholdOf = (embed: Embedder) => calibrateThreshold(CALIBRATION_TEXTS.map((text) => vector(embed(text))));

/** A search by words and by meaning, if the model is suitable. */
function hybrid(documents: readonly SearchDocument[], embed: Embedder) {
  const index = new SearchIndex();
  index.update(documents);
  const threshold = thresholdOf(embed);
  const vectors = new Map(
    documents.map((document) => [hashOf(textOf(document)), vector(embed(textOf(document)))] as const),
  );
  const texts = matchVectors(documents, vectors);
  return (query: string, visible: ReadonlySet<string>) => {
    const text = index.meantText(query, visible);
    const nearest =
      threshold === undefined || text === undefined
        ? []
        : findNearest(texts, { query: vector(embed(text)), threshold, visible });
    return index.search(query, visible, undefined, nearest);
  };
}

const SHOP = [
  documentOf('metric', 'Churn rate', { description: 'Subscribers who left' }),
  documentOf('dashboard', 'Payroll'),
  documentOf('dashboard', 'Rainfall'),
  documentOf('report', 'Attrition forecast'),
  documentOf('metric', 'Wages of our staff', { description: 'Payroll by month' }),
];
const shop = new Set(SHOP.map(({ key }) => key));

describe('vectors', () => {
  it('are as close as the vectors of the provider, also after they were stored', () => {
    const [a, b] = [directionOf('a'), directionOf('b')];
    expect(cosine(vector(a), vector(a))).toBeCloseTo(1);
    expect(cosine(vector(a), vector(a.map((member) => -member)))).toBeCloseTo(-1);
    const exact = a.reduce((sum, member, index) => sum + member * b[index]!, 0) / (Math.hypot(...a) * Math.hypot(...b));
    expect(cosine(vector(a), vector(b))).toBeCloseTo(exact, 1);
    const stored = new Map([
      [hashOf('a'), vector(a)],
      [hashOf('b'), vector(b)],
    ]);
    expect(decodeVectors(encodeVectors(stored))).toEqual(stored);
    // What a crash has cut off is made again.
    expect(decodeVectors(encodeVectors(stored).subarray(0, -1))).toEqual(new Map([...stored].slice(0, 1)));
    expect(vectorFromText(vectorToText(vector(a)))).toEqual(vector(a));
  });

  it('belong to texts: the same text needs one, and texts that are gone keep none', () => {
    const twice = [SHOP[0]!, { ...SHOP[0]!, key: 'other', isCertified: true }];
    const { missing } = matchVectors(twice, new Map());
    expect([...missing.keys()]).toEqual([hashOf('Churn rate\nSubscribers who left')]);
    const known = new Map([...missing.keys(), 'gone'].map((hash) => [hash, vector(directionOf(hash))]));
    const next = matchVectors(twice, known);
    expect([...next.kept.keys()]).toEqual([...missing.keys()]);
    expect(next.missing.size).toBe(0);
  });

  it('are made from names, other names, parents, descriptions and tags, up to a length', () => {
    const document = documentOf('field', 'amount', {
      ...{ aliases: ['orders.amount'], context: 'Commerce orders', description: ' Before tax ', tags: ['money'] },
    });
    expect(textOf(document)).toBe('amount\norders.amount\nCommerce orders\nBefore tax\nmoney');
    const long = textOf({ ...document, description: `${'x'.repeat(1_963)}😀` });
    expect(long.length).toBeLessThanOrEqual(2_000);
    expect(long.isWellFormed()).toBe(true);
  });
});

describe('a model', () => {
  it('is suitable if it tells meanings apart, and has a threshold between them', () => {
    const threshold = thresholdOf(embedText)!;
    expect(threshold).toBeGreaterThan(0.1);
    expect(threshold).toBeLessThan(0.9);
  });

  it.for([
    ['noise', directionOf],
    ['the same direction for everything', () => directionOf('')],
    ['nearly the same for everything', (text: string) => mixed('', text, 0.1)],
    ['the number of letters', (text: string) => directionOf('').map((member, at) => (at < text.length ? member : 1))],
  ] as const)('is not suitable if it returns %s', ([, embed]) => {
    expect(thresholdOf(embed)).toBeUndefined();
  });
});

describe('a search by words and meaning', () => {
  const search = hybrid(SHOP, embedText);
  const names = (query: string, visible: ReadonlySet<string> = shop) =>
    search(query, visible).documents.map(({ name }) => name);

  it('finds what shares no word with the query, after what has its words in the name', () => {
    expect(names('clients who cancel')).toEqual(expect.arrayContaining(['Churn rate']));
    expect(search('departing clients', shop).matching).toBe('meaning');
    const { documents, hitOf } = search('departing clients', shop);
    expect(hitOf(documents[0]!)).toEqual({ matchedOn: [], terms: [] });
    expect(names('attrition')[0]).toBe('Attrition forecast');
    expect(names('attrition')).toContain('Churn rate');
    // Asked of words alone.
    expect(names('payroll')).toEqual(['Payroll', 'Wages of our staff']);
  });

  it('neither finds nor counts what is not visible', () => {
    expect(names('departing clients', new Set(['dashboard-Payroll']))).toEqual([]);
  });

  it('keeps to types, tags, phrases and words that are left out', () => {
    expect(names('departing clients type:dashboard')).toEqual([]);
    expect(names('departing clients -churn')).toEqual([]);
    expect(names('"departing clients"')).toEqual([]);
  });

  it('asks for no meaning of an exact name, and of operators alone', () => {
    const index = new SearchIndex();
    index.update(SHOP);
    expect(index.meantText(' PAYROLL ', shop)).toBeUndefined();
    expect(index.meantText('payroll', new Set(['dashboard-Rainfall']))).toBe('payroll');
    expect(index.meantText('type:metric', shop)).toBeUndefined();
    expect(index.meantText('type:metric  lost   "money"', shop)).toBe('lost money');
  });
});

const ALL = [...DOCUMENTS, ...COMPANY_DOCUMENTS];
const everything = new Set(ALL.map(({ key }) => key));
const byName = new Map(ALL.map(({ key, name }) => [key, name]));

/** Knows the texts by which models are checked, and puts all others nearly in the same direction. */
const lying: Embedder = (text) => (CALIBRATION_TEXTS.includes(text) ? embedText(text) : mixed('', text, 0.25));

/** The direction of a text with a share of another one. */
function mixed(text: string, other: string, share: number): number[] {
  const added = directionOf(other);
  return directionOf(text).map((member, index) => member + share * added[index]!);
}

describe('hybrid search among more than 2,000 objects', () => {
  const index = new SearchIndex();
  index.update(ALL);
  const namesOf = ({ documents }: Found) => documents.map(({ key }) => byName.get(key)!);
  const slices = Object.entries({ ...JUDGED_SLICES, ...prefixed('held out ', HELD_OUT_SLICES) }).map(
    ([slice, judged]) => [slice, sample(judged, (_query, at) => at < 12 || at % 8 === 0)] as const,
  );
  const wordsAlone = new Map<string, ReturnType<typeof measured>>();
  beforeAll(() => {
    for (const [slice, judged] of slices)
      wordsAlone.set(
        slice,
        measured(judged, (query) => namesOf(index.search(query, everything))),
      );
  });

  it.for([
    ['a plain model', embedText],
    ['noise', directionOf],
    ['a lying model', lying],
  ] as const)('with %s finds no less than by words alone, on every slice, and has exact names first', ([, embed]) => {
    const search = hybrid(ALL, embed);
    for (const [slice, judged] of slices) {
      const words = wordsAlone.get(slice)!;
      const both = measured(judged, (query) => namesOf(search(query, everything)));
      expect(both.recall, slice).toBeGreaterThanOrEqual(words.recall);
      expect(both.mrr, slice).toBeGreaterThanOrEqual(words.mrr);
    }
    for (const { name } of sample(ALL, (_document, at) => at % 50 === 0))
      expect(search(name, everything).documents[0]!.name).toBe(name);
  });
});

const prefixed = <T>(prefix: string, record: Readonly<Record<string, T>>): Record<string, T> =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [prefix + name, value]));

function measured(judged: readonly (readonly [string, ...string[]])[], find: (query: string) => string[]) {
  const ranks = judged.map(([query, ...wanted]) => {
    const names = find(query).slice(0, 10);
    return {
      recall: wanted.filter((name) => names.includes(name)).length / wanted.length,
      rank: names.findIndex((name) => wanted.includes(name)) + 1,
    };
  });
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  return {
    recall: mean(ranks.map(({ recall }) => recall)),
    mrr: mean(ranks.map(({ rank }) => (rank === 0 ? 0 : 1 / rank))),
  };
}
