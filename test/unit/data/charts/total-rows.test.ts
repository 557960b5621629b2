import { describe, expect, it } from 'vitest';
import { drawTable } from '../../../../shared/data/charts/draw-table.ts';
import { DEFAULT_TOKENS } from '../../../../shared/data/charts/theme.ts';
import { grandTotals, placeTotals, withTotals } from '../../../../shared/data/charts/total-rows.ts';

const dimension = (name: string, type = 'string') => ({ name, role: 'dimension' as const, type });
const measure = { name: 'Revenue', role: 'measure' as const, type: 'integer' };
const columns = [dimension('Region'), dimension('Month', 'date'), measure];
/** Sorted by revenue, so that those of a region are apart. */
const rows = [
  ['North', '2026-01-01', 9],
  ['South', '2026-01-01', 7],
  ['North', '2026-02-01', 5],
  [null, null, 1],
];
const totals = [
  { level: 0, row: [null, null, 22] },
  { level: 1, row: ['North', null, 14] },
  { level: 1, row: ['South', null, 7] },
  { level: 1, row: [null, null, 1] },
  { level: 1, row: ['West', null, 99] },
];

describe('placeTotals', () => {
  it('puts subtotals below the rows of their groups, and the grand total last', () => {
    expect(placeTotals({ columns, rows, totals }).map(({ row, at }) => [at, ...row])).toEqual([
      [0, 'North', '2026-01-01', 9],
      [2, 'North', '2026-02-01', 5],
      [undefined, 'North', 'Total', 14],
      [1, 'South', '2026-01-01', 7],
      [undefined, 'South', 'Total', 7],
      [3, null, null, 1],
      [undefined, null, 'Total', 1],
      [undefined, 'Total', null, 22],
    ]);
  });

  it('keeps the order of rows without subtotals', () => {
    const [grand] = totals;
    expect(placeTotals({ columns, rows, totals: [grand!] }).map(({ at }) => at)).toEqual([0, 1, 2, 3, undefined]);
    expect(placeTotals({ columns, rows }).map(({ at }) => at)).toEqual([0, 1, 2, 3]);
    expect(grandTotals(totals)).toEqual([{ row: ['Total', null, 22], at: undefined }]);
  });

  it('has the subtotals of each level', () => {
    const deep = {
      columns: [dimension('A'), dimension('B'), dimension('C'), measure],
      rows: [
        ['a', 'x', '1', 1],
        ['a', 'y', '1', 2],
        ['a', 'x', '2', 4],
      ],
      totals: [
        { level: 2, row: ['a', 'x', null, 5] },
        { level: 2, row: ['a', 'y', null, 2] },
        { level: 1, row: ['a', null, null, 7] },
      ],
    };
    expect(placeTotals(deep).map(({ row }) => row.join(' '))).toEqual([
      'a x 1 1',
      'a x 2 4',
      'a x Total 5',
      'a y 1 2',
      'a y Total 2',
      'a Total  7',
    ]);
  });
});

describe('a table with totals', () => {
  it('has them once, in bold and without bars', () => {
    const data = withTotals({ columns, rows, totals });
    expect(withTotals(data)).toEqual(data);
    const given = [{ field: 'Region' }, { field: 'Revenue', showBar: true }];
    const svg = drawTable(given, { columns, rows, totals }, { width: 400, height: 400, theme: DEFAULT_TOKENS });
    expect([...svg.matchAll(/font-weight="600"[^>]*>([^<]*)</g)].map(([, text]) => text)).toEqual([
      'Region',
      'Revenue',
      'North',
      '14',
      'South',
      '7',
      '',
      '1',
      'Total',
      '22',
    ]);
    expect(svg.match(/<rect /g)?.length).toBe(rows.length);
  });
});
