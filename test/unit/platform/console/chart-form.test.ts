import { describe, expect, it } from 'vitest';
import {
  dimensionFor,
  firstQuery,
  measureFor,
  rebuilt,
  type SourceColumn,
} from '../../../../functions/platform/console/site/data/chart-form.ts';

const column = (label: string, kind: SourceColumn['kind']): SourceColumn => ({
  key: label,
  label,
  kind,
  dimension: { column: label },
  measure: { column: label },
});
const source = { kind: 'dataset' as const, id: 'd' };
const COLUMNS = [
  column('id', 'number'),
  column('region', 'other'),
  column('amount', 'number'),
  column('placed', 'time'),
];

describe('charts by their form', () => {
  it('begin with the first amount by time', () => {
    expect(firstQuery(source, COLUMNS)).toEqual({
      source,
      dimensions: [{ column: 'placed', label: 'placed', grain: 'month' }],
      measures: [{ column: 'amount', aggregation: 'sum', label: 'amount' }],
    });
    const revenue: SourceColumn = {
      key: 'm',
      label: 'Revenue',
      kind: 'number',
      isMeasure: true,
      dimension: {},
      measure: { measureId: 'm' },
    };
    expect(firstQuery({ kind: 'model', id: 'm' }, [revenue, column('region', 'other')]).measures).toEqual([
      { measureId: 'm', label: 'Revenue' },
    ]);
    expect(firstQuery(source, [])).toEqual({ source });
  });

  it('keep formats, filters and settings that the form does not have', () => {
    const query = {
      source,
      dimensions: [{ column: 'region', label: 'region' }],
      measures: [{ column: 'amount', aggregation: 'sum' as const, label: 'amount' }],
      filters: [{ column: 'region', op: 'ne' as const, values: ['x'] }],
      sort: [{ column: 'amount', direction: 'desc' as const }],
    };
    const spec = {
      version: 1 as const,
      query,
      mark: { type: 'bar' as const, cornerRadius: 3 },
      encoding: { x: { field: 'region' }, y: { field: 'amount', format: '.1f' } },
      config: { showLabels: true },
    };
    const next = { ...query, dimensions: [dimensionFor(COLUMNS[3]!, query)] };
    expect(rebuilt(spec, { query: next })).toEqual({
      ...spec,
      query: next,
      encoding: { x: { field: 'placed' }, y: { field: 'amount', format: '.1f' } },
    });
    const { measures: _measures, sort: _sort, ...others } = query;
    expect(rebuilt(spec, { query: { ...query, measures: [] } }).query).toEqual(others);
    expect(rebuilt(spec, { mark: 'table' })).toEqual({
      version: 1,
      query,
      mark: { type: 'table' },
      config: { showLabels: true },
    });
  });

  it('draw several numbers on top of each other, and leave marks alone that the form does not make', () => {
    const query = {
      source,
      dimensions: [{ column: 'region', label: 'region' }],
      measures: [{ column: 'amount', aggregation: 'sum' as const, label: 'amount' }],
    };
    const two = { ...query, measures: [...query.measures, measureFor(COLUMNS[2]!, query)] };
    const spec = { version: 1 as const, query, mark: { type: 'line' as const } };
    expect(rebuilt(spec, { query: two }).layer?.map(({ encoding }) => encoding.y)).toEqual([
      { field: 'amount' },
      { field: 'amount 2' },
    ]);
    const sankey = { ...spec, mark: { type: 'sankey' as const }, encoding: { from: { field: 'region' } } };
    expect(rebuilt(sankey, { query: two })).toEqual({ ...sankey, query: two });
  });
});
