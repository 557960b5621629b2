import { describe, expect, it } from 'vitest';
import { SearchIndex, snippetOf } from '../../../../shared/domains/catalog/search/index.ts';
import { cases } from '../../../support/cases.ts';
import { seededRandom } from '../../../support/seeded-random.ts';
import { DOCUMENTS, documentOf, JUDGED } from './fixture.ts';

const indexOf = (documents = DOCUMENTS) => {
  const index = new SearchIndex();
  index.update(documents);
  return index;
};
const all = new Set(DOCUMENTS.map(({ key }) => key));
const found = (index: SearchIndex, query: string, visible: ReadonlySet<string> = all) =>
  index.search(query, visible).documents.map(({ name }) => name);

/** The mean of recall@10 and of the reciprocal rank of the best. */
function measured(index: SearchIndex, judged: readonly (readonly [string, ...string[]])[]) {
  const rows = judged.map(([query, ...wanted]) => {
    const names = found(index, query).slice(0, 10);
    const rank = names.findIndex((name) => wanted.includes(name)) + 1;
    return {
      query,
      recall: wanted.filter((name) => names.includes(name)).length / wanted.length,
      reciprocal: rank === 0 ? 0 : 1 / rank,
    };
  });
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  return {
    recall: mean(rows.map(({ recall }) => recall)),
    mrr: mean(rows.map(({ reciprocal }) => reciprocal)),
    missed: rows.filter(({ recall, reciprocal }) => recall < 1 || reciprocal < 1),
  };
}

describe('ranking', () => {
  const index = indexOf();

  it('has every exact name first, whatever its case, accents and spaces', () => {
    for (const { name } of DOCUMENTS) expect(found(index, `  ${name.toUpperCase()} `)[0], name).toBe(name);
    const accented = indexOf([...DOCUMENTS, documentOf('metric', 'Café Überstunden')]);
    expect(found(accented, 'cafe uberstunden', new Set(['metric-Café Überstunden']))).toEqual(['Café Überstunden']);
  });

  it.for([
    ['typo', 0.95, 0.9],
    ['inflection', 0.95, 0.85],
    ['synonym', 0.85, 0.8],
    ['words', 0.95, 0.9],
    ['prefix', 0.95, 0.9],
  ] as const)('finds %s with a recall@10 of %d and a reciprocal rank of %d', ([slice, recall, mrr]) => {
    const result = measured(index, JUDGED[slice]);
    expect(result.recall, JSON.stringify(result.missed)).toBeGreaterThanOrEqual(recall);
    expect(result.mrr, JSON.stringify(result.missed)).toBeGreaterThanOrEqual(mrr);
  });

  it('is as good over all judged queries', () => {
    const names = DOCUMENTS.map(({ name }): [string, string] => [name, name]);
    const judged = [...names, ...Object.values(JUDGED).flat()];
    expect(judged.length).toBeGreaterThanOrEqual(100);
    const { recall, mrr } = measured(index, judged);
    expect(recall).toBeGreaterThanOrEqual(0.92);
    expect(mrr).toBeGreaterThanOrEqual(0.85);
  });

  it('prefers all words in the name to all words anywhere, and those to some words', () => {
    const mixed = indexOf([
      documentOf('metric', 'Orders', { description: 'Returns of all shops' }),
      documentOf('metric', 'Returns of orders'),
      documentOf('metric', 'Returns'),
    ]);
    const keys = new Set(['metric-Orders', 'metric-Returns of orders', 'metric-Returns']);
    expect(found(mixed, 'orders returns', keys)).toEqual(['Returns of orders', 'Orders', 'Returns']);
  });

  it('keeps other words for the query behind the words themselves', () => {
    const two = indexOf([documentOf('metric', 'Turnover'), documentOf('metric', 'Revenue of shops')]);
    expect(found(two, 'revenue', new Set(['metric-Turnover', 'metric-Revenue of shops']))).toEqual([
      'Revenue of shops',
      'Turnover',
    ]);
  });

  it('finds nothing for unknown words, signs and words of documents that are not visible', () => {
    expect(found(index, 'zzzzqqq')).toEqual([]);
    expect(found(index, '—?!')).toEqual([]);
    expect(found(index, 'Headcount', new Set(['metric-Churn rate']))).toEqual([]);
    expect(found(index, 'metric-Headcount', new Set(['metric-Churn rate']))).toEqual([]);
  });

  it('finds scripts without spaces', () => {
    const japanese = indexOf([documentOf('dashboard', '月次売上高'), documentOf('dashboard', '在庫')]);
    expect(found(japanese, '売上', new Set(['dashboard-月次売上高', 'dashboard-在庫']))).toEqual(['月次売上高']);
  });
});

/** All that a search shows. */
function answer(index: SearchIndex, query: string, visible: ReadonlySet<string>) {
  const { documents, hitOf, matching } = index.search(query, visible);
  const hits = documents.map((document) => ({ document, ...hitOf(document) }));
  return { hits, matching, suggestion: index.didYouMean(query, visible) };
}

it('an index after any changes answers as a new one', () => {
  const random = seededRandom(7);
  const kept = new SearchIndex();
  let current = [...DOCUMENTS];
  for (let round = 0; round < cases(20, 200); round++) {
    current = current.flatMap((document) => {
      const dice = random();
      if (dice < 0.1) return [];
      return dice < 0.2
        ? [{ ...document, name: `${document.name} ${round}`, description: 'Renamed orders' }]
        : [document];
    });
    current = [...current, documentOf('metric', `Orders of ${round}`)];
    kept.update(current);
    // The same once more, as a doubled message would.
    kept.update(current);
    const rebuilt = indexOf(current);
    const keys = new Set(current.map(({ key }) => key));
    expect(kept.size).toBe(rebuilt.size);
    for (const query of ['orders', 'revenue', 'renamed order', 'chrun', 'customer value', String(round)])
      expect(answer(kept, query, keys), query).toEqual(answer(rebuilt, query, keys));
  }
});

describe('corrections and snippets', () => {
  it('correct unknown words with near ones of visible names', () => {
    const names = ['Churn rate', 'Churning butter', 'Salary'].map((name) => documentOf('metric', name));
    const own = indexOf(names);
    const corrected = (query: string, ...keys: string[]) => own.didYouMean(query, new Set(keys));
    const rate = 'metric-Churn rate';
    expect(corrected('Chrun rte', rate)).toBe('churn rte');
    expect(corrected('churm rate', rate)).toBe('churn rate');
    expect(corrected('churn rates', rate)).toBeUndefined();
    expect(corrected('type:metric churm -rats', rate)).toBe('type:metric churn -rats');
    expect(corrected('salery', rate)).toBeUndefined();
    expect(corrected('salery', rate, 'metric-Salary')).toBe('salary');
  });

  it('mark the words that match, of at most 200 characters', () => {
    expect(snippetOf('', ['a'])).toBeNull();
    expect(snippetOf('Orders and returns', ['order'])).toEqual({ text: 'Orders and returns', marks: [[0, 6]] });
    expect(snippetOf('Nothing of it', ['order'])).toEqual({ text: 'Nothing of it', marks: [] });
    const long = `${'word '.repeat(100)}orders ${'😀'.repeat(200)}`;
    const { text, marks } = snippetOf(long, ['orders'])!;
    expect(text.length).toBeLessThanOrEqual(200);
    expect(marks.map(([from, to]) => text.slice(from, to))).toEqual(['orders']);
    expect(text.isWellFormed()).toBe(true);
  });
});
