import { expect, it } from 'vitest';
import { SearchIndex, thesaurusOf } from '../../../../shared/domains/catalog/search/index.ts';
import { documentOf } from './fixture.ts';

const DOCUMENTS = [
  documentOf('metric', 'Gross merchandise volume'),
  documentOf('metric', 'Dark stores', { description: 'Sites without walk-in trade' }),
  documentOf('dashboard', 'Revenue of fulfilment hubs'),
];
const index = new SearchIndex();
index.update(DOCUMENTS);
const all = new Set(DOCUMENTS.map(({ key }) => key));

it('finds the other words that a workspace uses, besides those of business, only with its own thesaurus', () => {
  const own = thesaurusOf([
    ['Dark store', 'MFC', 'fulfilment hub', 'micro fulfillment centre'],
    ['Turnover', 'takings'],
  ]);
  const found = (query: string, thesaurus = own) =>
    index.search(query, all, thesaurus).documents.map(({ name }) => name);
  expect(found('mfc')).toEqual(['Dark stores', 'Revenue of fulfilment hubs']);
  expect(found('mfcs')).toEqual(found('mfc'));
  expect(found('fulfilment hubs')).toEqual(['Revenue of fulfilment hubs', 'Dark stores']);
  expect(index.search('mfc', all).documents).toEqual([]);
  // Words of the workspace are added to those of business.
  expect(found('turnover')).toEqual(['Revenue of fulfilment hubs']);
  // Phrases without words, or with too many, are left out.
  const odd = thesaurusOf([['—', 'one two three four five six seven', 'hub']]);
  expect(found('hub', odd)).toEqual(['Revenue of fulfilment hubs']);
});
