import { describe, expect, it } from 'vitest';
import { SearchIndex } from '../../../../shared/domains/catalog/search/index.ts';
import { documentOf } from './fixture.ts';

const DOCUMENTS = [
  documentOf('metric', 'Paid orders'),
  documentOf('metric', 'Orders paid late', { description: 'Reminders for paid orders' }),
  documentOf('metric', 'Orders', { description: 'All that were paid or not' }),
  documentOf('metric', 'Orders -returns'),
  documentOf('metric', 'Order returns'),
];
const index = new SearchIndex();
index.update(DOCUMENTS);
const found = (query: string) =>
  index.search(query, new Set(DOCUMENTS.map(({ key }) => key))).documents.map(({ name }) => name);

describe('operators of queries', () => {
  it('keep the words of a phrase together, in any form', () => {
    expect(found('paid orders')).toHaveLength(3);
    expect(found('"paid orders"')).toEqual(['Paid orders', 'Orders paid late']);
    expect(found('"paid order" late')).toEqual(['Orders paid late']);
    expect(found('"orders"')).toHaveLength(5);
  });

  it('leave out excluded words', () => {
    expect(found('order -paid')).toEqual(expect.arrayContaining(['Order returns']));
    expect(found('order -paid')).not.toContain('Paid orders');
    expect(found('order -paid')).not.toContain('Orders');
    expect(found('orders -return -"late"')).not.toContain('Order returns');
  });

  it('do not exist in exact names, within words, and without other words', () => {
    expect(found('orders -returns')[0]).toBe('Orders -returns');
    expect(found('-returns')).toEqual(expect.arrayContaining(['Order returns']));
    expect(found('orders-returns')).toEqual(expect.arrayContaining(['Order returns']));
    expect(found('"')).toEqual([]);
  });

  it('leave a type, and tags', () => {
    const tagged = [
      documentOf('metric', 'Revenue', { tags: ['Finance', 'core'] }),
      documentOf('dashboard', 'Revenue board', { tags: ['finance'] }),
      documentOf('saved_query', 'Revenue query'),
      documentOf('report', 'Type: revenue'),
      documentOf('report', 'Type person'),
    ];
    const own = new SearchIndex();
    own.update(tagged);
    const names = (query: string) =>
      own.search(query, new Set(tagged.map(({ key }) => key))).documents.map(({ name }) => name);
    expect(names('revenue type:dashboard')).toEqual(['Revenue board']);
    expect(names('type:saved-query revenue')).toEqual(['Revenue query']);
    expect(names('revenue type:metric type:dashboard').sort()).toEqual(['Revenue', 'Revenue board']);
    expect(names('revenue tag:FINANCE').sort()).toEqual(['Revenue', 'Revenue board']);
    expect(names('revenue tag:"core" tag:finance')).toEqual(['Revenue']);
    expect(names('tag:finance')).toEqual(['Revenue', 'Revenue board']);
    expect(names('tag:finance -board')).toEqual(['Revenue']);
    expect(names('revenue tag:unknown')).toEqual([]);
    expect(names('core')).toEqual(['Revenue']);
    expect(names('type: revenue')[0]).toBe('Type: revenue');
    expect(names('type:person')).toEqual(['Type person']);
    expect(own.search('tag:finance', new Set(['dashboard-Revenue board'])).documents).toHaveLength(1);
  });
});
