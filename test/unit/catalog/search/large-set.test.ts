import { describe, expect, it } from 'vitest';
import { SearchIndex } from '../../../../shared/domains/catalog/search/index.ts';
import { COMPANY_DOCUMENTS, HELD_OUT_SLICES, JUDGED_SLICES } from './companies.ts';
import { DOCUMENTS } from './fixture.ts';

const ALL = [...DOCUMENTS, ...COMPANY_DOCUMENTS];
const index = new SearchIndex();
index.update(ALL);
const visible = new Set(ALL.map(({ key }) => key));
const found = (query: string) => index.search(query, visible).documents.map(({ name }) => name);

type Judged = readonly [query: string, ...wanted: string[]];

function measured(judged: readonly Judged[]) {
  const ranks = judged.map(([query, ...wanted]) => {
    const names = found(query).slice(0, 10);
    const recall = wanted.filter((name) => names.includes(name)).length / wanted.length;
    return { query, recall, rank: names.findIndex((name) => wanted.includes(name)) + 1 };
  });
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  return {
    recall: mean(ranks.map(({ recall }) => recall)),
    mrr: mean(ranks.map(({ rank }) => (rank === 0 ? 0 : 1 / rank))),
    within: (rank: number) => mean(ranks.map((each) => (each.rank > 0 && each.rank <= rank ? 1 : 0))),
    missed: ranks.filter(({ recall, rank }) => recall < 1 || rank !== 1),
  };
}

const { name: NAMES, ...REPHRASED } = JUDGED_SLICES;
const judged = Object.values(REPHRASED).flat();

describe('ranking among more than 2,000 objects', () => {
  it('has enough to find and to ask', () => {
    expect(ALL.length).toBeGreaterThanOrEqual(2000);
    expect(judged.length).toBeGreaterThanOrEqual(200);
  });

  it('has exact names first', () => {
    const names = [...DOCUMENTS.map(({ name }) => name), ...NAMES!.map(([name]) => name)];
    const missed = names.filter((name) => found(name)[0] !== name);
    expect(missed).toEqual([]);
  });

  it('finds names with one typo among the first three', () => {
    const result = measured(REPHRASED.typo!);
    expect(result.within(3), JSON.stringify(result.missed)).toBeGreaterThanOrEqual(0.95);
  });

  it('finds other words for the same, and inflections', () => {
    const synonyms = measured(REPHRASED.synonym!);
    expect(synonyms.recall, JSON.stringify(synonyms.missed)).toBeGreaterThanOrEqual(0.85);
    const inflections = measured(REPHRASED.inflection!);
    expect(inflections.recall, JSON.stringify(inflections.missed)).toBeGreaterThanOrEqual(0.95);
  });

  it('has a recall@10 of at least 0.92 and a mean reciprocal rank of at least 0.85 over all queries', () => {
    const { recall, mrr, missed } = measured(judged);
    expect(recall, JSON.stringify(missed)).toBeGreaterThanOrEqual(0.92);
    expect(mrr, JSON.stringify(missed)).toBeGreaterThanOrEqual(0.85);
  });

  it.for(Object.entries(HELD_OUT_SLICES))('finds as much by queries that it was not tuned by: %s', ([, slice]) => {
    const { recall, mrr, missed } = measured(slice);
    expect(recall, JSON.stringify(missed)).toBeGreaterThanOrEqual(0.97);
    expect(mrr, JSON.stringify(missed)).toBeGreaterThanOrEqual(0.95);
  });
});
