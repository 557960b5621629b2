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
});
