import { describe, expect, it } from 'vitest';
import type { ChartColumn } from '../../../../shared/data/charts/chart-columns.ts';
import { lookIssues } from '../../../../shared/data/charts/look-issues.ts';

const columns: ChartColumn[] = [
  { name: 'Month', role: 'dimension', type: 'date', grain: 'month' },
  { name: 'Sales', role: 'measure', type: 'decimal' },
];

describe('the check of a chart against its columns', () => {
  it('accepts what can be drawn', () => {
    const encoding = { x: { field: 'Month', format: '%b %Y' }, y: { field: 'Sales', format: '$,.2f' } };
    expect(lookIssues({ mark: { type: 'bar' }, encoding }, columns)).toEqual([]);
    expect(lookIssues({ mark: { type: 'table' } }, columns)).toEqual([]);
  });

  it('names every unknown column with the nearest one, in encodings, tooltips, layers and columns of tables', () => {
    const issues = lookIssues(
      {
        mark: { type: 'table', columns: [{ field: 'Salse' }] },
        encoding: { x: { field: 'month' }, tooltip: [{ field: 'Sales' }, { field: 'Profit' }] },
      },
      columns,
    );
    expect(issues.map(({ pointer, message }) => [pointer, message])).toEqual([
      ['/encoding/x/field', 'the query has no column "month"; did you mean "Month"?'],
      ['/encoding/tooltip/1/field', 'the query has no column "Profit"; known are "Month", "Sales"'],
      ['/mark/columns/0/field', 'the query has no column "Salse"; did you mean "Sales"?'],
    ]);
    const layered = {
      mark: { type: 'bar' },
      layer: [{ mark: { type: 'line' }, encoding: { x: { field: 'Nope' }, y: { field: 'Sales' } } }],
    } as const;
    expect(lookIssues({ ...layered, layer: [...layered.layer] }, columns)).toMatchObject([
      { pointer: '/layer/0/encoding/x/field' },
    ]);
  });

  it('says which channels a mark needs, and which marks stand alone', () => {
    expect(lookIssues({ mark: { type: 'arc' } }, columns)).toMatchObject([
      { pointer: '/encoding', code: 'REQUIRED', message: 'arc needs `theta`' },
    ]);
    expect(lookIssues({ mark: { type: 'line' }, encoding: { x: { field: 'Month' } } }, columns)).toMatchObject([
      { message: 'line needs `y`' },
    ]);
    expect(
      lookIssues({ mark: { type: 'bar' }, layer: [{ mark: { type: 'kpi' }, encoding: {} }] }, columns),
    ).toMatchObject([{ pointer: '/layer/0/mark/type', message: 'kpi cannot be a layer; use it as `mark`' }]);
  });

  it('takes links to one place, with values of columns that exist', () => {
    const linked = (...links: object[]) =>
      lookIssues({ mark: { type: 'table' }, config: { links: links as never } }, columns).map(
        ({ pointer, code }) => `${pointer} ${code}`,
      );
    const [url, dashboardId] = ['https://example.com/{Month}?of={Sales}', '019b2d08-5e36-7c25-9f67-2c1d0b9a8e44'];
    expect(linked({ title: 'A', url }, { title: 'B', dashboardId, filters: { f: 'Month' } })).toEqual([]);
    expect(linked({ title: 'A' }, { title: 'B', url, dashboardId })).toEqual([
      '/config/links/0 REQUIRED',
      '/config/links/1 REQUIRED',
    ]);
    expect(linked({ title: 'A', url: 'https://example.com/{Salse}' })).toEqual(['/config/links/0/url UNKNOWN']);
    expect(linked({ title: 'A', url, filters: { f: 'Month' } })).toEqual(['/config/links/0/filters CONFLICT']);
    expect(linked({ title: 'A', dashboardId, filters: { f: 'Mont' } })).toEqual(['/config/links/0/filters/f UNKNOWN']);
  });

  it('takes the target and the direction of a single number', () => {
    const target = (value: string | number) => lookIssues({ mark: { type: 'kpi', target: value } }, columns);
    expect([target(5), target('Sales')]).toEqual([[], []]);
    expect(target('Salse')).toMatchObject([{ pointer: '/mark/target', code: 'UNKNOWN' }]);
    expect(target('Month')).toMatchObject([{ pointer: '/mark/target', code: 'CONFLICT' }]);
    expect(lookIssues({ mark: { type: 'table', target: 5, direction: 'down_good' } }, columns)).toMatchObject([
      { pointer: '/mark/target', message: 'has no effect on table; it belongs to kpi and gauge' },
      { pointer: '/mark/direction', code: 'CONFLICT' },
    ]);
  });

  it('takes lines on an axis of numbers only', () => {
    const config = { lines: [{ value: 5, label: 'Goal' }] };
    const encoding = { x: { field: 'Month' }, y: { field: 'Sales' } };
    expect(lookIssues({ mark: { type: 'bar' }, encoding, config }, columns)).toEqual([]);
    const layer = [{ mark: { type: 'line' as const }, encoding }];
    expect(lookIssues({ mark: { type: 'bar' }, layer, config }, columns)).toEqual([]);
    const issue = { pointer: '/config/lines', code: 'CONFLICT', message: 'needs an axis of numbers (`x` or `y`)' };
    expect(lookIssues({ mark: { type: 'kpi' }, config }, columns)).toEqual([issue]);
    const months = { x: { field: 'Month' }, y: { field: 'Sales', type: 'nominal' as const } };
    expect(lookIssues({ mark: { type: 'rect' }, encoding: months, config }, columns)).toEqual([issue]);
  });

  it('rejects formats of the other kind', () => {
    const encoding = { x: { field: 'Month', format: 'month' }, y: { field: 'Sales', format: 'two decimals' } };
    expect(lookIssues({ mark: { type: 'bar' }, encoding }, columns).map(({ pointer }) => pointer)).toEqual([
      '/encoding/x/format',
      '/encoding/y/format',
    ]);
    const nested = { x: { field: 'Month' }, y: { field: 'Sales', axis: { format: '>200000000d' } } };
    expect(lookIssues({ mark: { type: 'bar' }, encoding: nested }, columns)).toMatchObject([
      { pointer: '/encoding/y/axis/format', code: 'FORMAT' },
    ]);
  });
});
