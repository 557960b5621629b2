import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import { withoutDocumentation } from '../../../../infra/build/validators.ts';
import type { ChartColumn } from '../../../../shared/data/charts/chart-columns.ts';
import { suggestLook } from '../../../../shared/data/charts/suggest-look.ts';
import { ChartSpec } from '../../../../shared/domains/boards/charts/index.ts';

const ajv = new Ajv2020({ strict: false, allErrors: true });
(addFormats as unknown as (ajv: Ajv2020) => void)(ajv);
const isChart = ajv.compile<ChartSpec>(withoutDocumentation(ChartSpec));

const plain = {
  version: 1,
  query: { source: { kind: 'model', id: '019b2ce8-4c71-7a35-9b0d-6e5d4c3b2a18' } },
  mark: { type: 'bar' },
  encoding: { x: { field: 'a' } },
};
const placesOf = (chart: unknown) => {
  expect(isChart(chart)).toBe(false);
  return (isChart.errors ?? []).map(({ instancePath }) => instancePath);
};

describe('the specification of a chart', () => {
  it('takes no data, address, expression, signal, transformation or picture', () => {
    expect(isChart(plain), JSON.stringify(isChart.errors)).toBe(true);
    const url = 'https://evil.example.com/x.json';
    for (const more of [
      { data: { url } },
      { data: { values: [] } },
      { params: [{ name: 'p', expr: 'window' }] },
      { transform: [{ calculate: '1', as: 'x' }] },
      { usermeta: { embedOptions: { loader: url } } },
      { $schema: url },
      { datasets: {} },
      { projection: { type: { expr: '1' } } },
    ])
      expect(placesOf({ ...plain, ...more })).toEqual(['']);
    for (const mark of [
      { type: 'image' },
      { type: 'bar', href: url },
      { type: 'bar', url },
      { type: 'geoshape', geography: url },
      { type: 'bar', color: `url(${url})` },
      { type: 'bar', color: { expr: '1' } },
    ])
      expect(placesOf({ ...plain, mark })[0]).toMatch(/^\/mark/);
    for (const channel of [
      { field: 'a', scale: { domain: { expr: '1' } } },
      { field: 'a', axis: { labelExpr: '1' } },
      { field: { repeat: 'row' } },
      { value: { expr: '1' } },
      { field: 'a', condition: { test: '1' } },
    ])
      expect(placesOf({ ...plain, encoding: { x: channel } })[0]).toMatch(/^\/encoding\/x/);
  });

  it('has at most four layers, and texts of a limited length', () => {
    const layer = { mark: plain.mark, encoding: plain.encoding };
    expect(placesOf({ ...plain, layer: Array.from({ length: 10_000 }, () => layer) })).toContain('/layer');
    expect(placesOf({ ...plain, encoding: { x: { field: 'a'.repeat(1_000_000) } } })).toEqual(['/encoding/x/field']);
  });
});

it('50,000 categories are a table', () => {
  const columns: ChartColumn[] = [
    { name: 'name', role: 'dimension', type: 'string' },
    { name: 'n', role: 'measure', type: 'integer' },
  ];
  const rows = Array.from({ length: 50_000 }, (_, index) => [`Name ${index}`, index]);
  expect(suggestLook({ columns, rows })).toEqual({ cardType: 'table', mark: { type: 'table' } });
});
