import { describe, expect, it } from 'vitest';
import { readsOfDag, readsOfStep } from '../../../shared/domains/pipelines/definition/reads-of-dag.ts';

const sourceId = 's';
const extract = (config: Record<string, unknown>) => ({ id: 'x', type: 'extract' as const, config });
const ofSource = (tables: unknown) => ({ sources: [{ sourceId, tables }], datasets: [] });
const NOTHING = { sources: [], datasets: [] };

describe('what an extract reads', () => {
  it.each([
    [{ object: { dataset: 'Orders' } }, { sources: [], datasets: ['Orders'] }],
    [{ object: { dataset: 'orders', filter: 'id > 1' } }, { sources: [], datasets: ['orders'] }],
    [{ object: { dataset: '{{ params.from }}' } }, { sources: [], datasets: 'all' }],
    [{ sourceId, object: { path: 'orders.csv' } }, NOTHING],
    [{ sourceId, object: { table: 'orders' } }, ofSource([{ schema: '', table: 'orders' }])],
    [{ sourceId, object: { schema: 'a', table: 'orders' } }, ofSource([{ schema: 'a', table: 'orders' }])],
    [{ sourceId, object: { table: 'orders_{{ item }}' } }, ofSource('all')],
    [{ sourceId, object: { schema: '{{ params.s }}', table: 'orders' } }, ofSource('all')],
    [{ sourceId, object: { table: 'orders' }, filter: 'id IN (SELECT id FROM people)' }, ofSource('all')],
    [{ sourceId, object: { query: 'SELECT 1' } }, ofSource('all')],
    [{ sourceId, object: { stream: 'shop' } }, ofSource('all')],
    [{ sourceId, object: { stream: 'shop', table: 'orders' } }, ofSource([{ schema: 'public', table: 'orders' }])],
    [{ sourceId, object: { stream: 'shop', table: 'a.orders' } }, ofSource([{ schema: 'a', table: 'orders' }])],
    [{ object: null }, NOTHING],
    [{}, NOTHING],
  ])('%j', (config, expected) => {
    expect(readsOfStep(extract(config))).toEqual(expected);
  });

  it('is all that its definition reads, without what other steps write', () => {
    const load = {
      id: 'l',
      type: 'load' as const,
      config: { sourceId, target: { kind: 'table', sourceId, table: 'out' } },
    };
    const steps = [
      extract({ object: { dataset: 'a' } }),
      extract({ object: { dataset: 'a' } }),
      extract({ sourceId, object: { table: 't' } }),
      load,
    ];
    expect(readsOfDag({ steps } as never)).toEqual({ ...ofSource([{ schema: '', table: 't' }]), datasets: ['a'] });
    expect(readsOfDag({ steps: [...steps, extract({ object: { dataset: '{{ item }}' } })] } as never).datasets).toBe(
      'all',
    );
  });
});
