import { expect, it } from 'vitest';
import type { ChartSpec } from '../../../../shared/domains/boards/charts/index.ts';
import { partsOfQuery } from '../../../../shared/domains/catalog/lineage/columns/query-parts.ts';
import type { Sight } from '../../../../shared/domains/catalog/lineage/kinds.ts';

const SIGHT = {} as Sight;
const source = { kind: 'savedQuery' as const, id: '019b2c90-6a3b-7d1f-8c75-3e2d1c0b9a0e' };
const partsOf = async (query: Omit<ChartSpec['query'], 'source'>, look?: object) =>
  (await partsOfQuery(SIGHT, { source, ...query }, look)).map(({ part }) => part);

it('a chart of a saved query uses the columns that it shows, groups, sorts and filters by', async () => {
  const look = { mark: { type: 'bar' }, encoding: { x: { field: 'region' }, y: { field: 'Revenue' } } };
  const filters = [
    { anyOf: [{ column: 'status', op: 'is_null' as const }] },
    { column: 'day', op: 'not_null' as const },
  ];
  expect(await partsOf({}, look)).toEqual(['region', 'Revenue']);
  expect(await partsOf({ filters, sort: [{ column: 'id' }] }, look)).toEqual([
    'region',
    'Revenue',
    'id',
    'status',
    'day',
  ]);
  expect(await partsOf({ filters })).toEqual(['status', 'day', null]);
  expect(await partsOf({})).toEqual([null]);
  const grouped = { dimensions: [{ column: 'region' }], sort: [{ column: 'Revenue' }] };
  const sum = { column: 'amount', aggregation: 'sum' as const, label: 'Revenue' };
  expect(await partsOf({ ...grouped, measures: [sum] }, look)).toEqual(['region', 'amount']);
  const expression = { expression: 'SUM([amount])', label: 'Revenue' };
  expect(await partsOf({ ...grouped, measures: [expression] }, look)).toEqual(['region', null]);
});
