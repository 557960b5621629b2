import { describe, expect, it } from 'vitest';
import { SearchIndex } from '../../../../shared/domains/catalog/search/index.ts';
import { seededRandom } from '../../../support/seeded-random.ts';
import { COMPANY_DOCUMENTS, sampled, withTypo } from './companies.ts';
import { DOCUMENTS, JUDGED } from './fixture.ts';

const ALL = [...DOCUMENTS, ...COMPANY_DOCUMENTS];
const index = new SearchIndex();
index.update(ALL);
const visible = new Set(ALL.map(({ key }) => key));
const found = (query: string) => index.search(query, visible).hits.map(({ document }) => document.name);

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

const random = seededRandom(11);
const GENERATED: Readonly<Record<'typo' | 'inflection' | 'words', readonly Judged[]>> = {
  typo: sampled(1).map(({ name }): Judged => [withTypo(name, random), name]),
  inflection: sampled(2).map(({ name }): Judged => [name.replace(/^(\p{L}+?)s? /u, '$1s '), name]),
  words: sampled(3).map(({ name }): Judged => [name.split(/[ _]/).toReversed().join(' '), name]),
};

describe('ranking among more than 2,000 objects', () => {
  it('has enough to find and to ask', () => {
    expect(ALL.length).toBeGreaterThanOrEqual(2000);
    const judged = [...Object.values(JUDGED), ...Object.values(GENERATED)].flat();
    expect(judged.length).toBeGreaterThanOrEqual(200);
  });

  it('has exact names first', () => {
    const asked = [...DOCUMENTS, ...sampled(4), ...sampled(5)];
    const missed = asked.filter(({ name }) => found(name)[0] !== name).map(({ name }) => name);
    expect(missed).toEqual([]);
  });

  it('finds names with one typo among the first three', () => {
    const result = measured([...JUDGED.typo, ...GENERATED.typo]);
    expect(result.within(3), JSON.stringify(result.missed)).toBeGreaterThanOrEqual(0.95);
  });

  it('finds other words for the same, and inflections', () => {
    const synonyms = measured(JUDGED.synonym);
    expect(synonyms.recall, JSON.stringify(synonyms.missed)).toBeGreaterThanOrEqual(0.85);
    const inflections = measured([...JUDGED.inflection, ...GENERATED.inflection]);
    expect(inflections.recall, JSON.stringify(inflections.missed)).toBeGreaterThanOrEqual(0.95);
  });

  it('has a recall@10 of at least 0.92 and a mean reciprocal rank of at least 0.85 over all queries', () => {
    const judged = [...Object.values(JUDGED), ...Object.values(GENERATED)].flat();
    const { recall, mrr, missed } = measured(judged);
    expect(recall, JSON.stringify(missed)).toBeGreaterThanOrEqual(0.92);
    expect(mrr, JSON.stringify(missed)).toBeGreaterThanOrEqual(0.85);
  });
});
