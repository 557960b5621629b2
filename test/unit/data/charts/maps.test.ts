import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { mapFiles } from '../../../../infra/maps/maps.ts';
import type { ChartColumn, ChartData } from '../../../../shared/data/charts/chart-columns.ts';
import type { ChartLook } from '../../../../shared/data/charts/chart-look.ts';
import { drawChart } from '../../../../shared/data/charts/draw.ts';
import { lookIssues } from '../../../../shared/data/charts/look-issues.ts';
import { geographyOf } from '../../../../shared/data/charts/maps/geography-of.ts';
import { mapRows, mapWarnings } from '../../../../shared/data/charts/maps/map-rows.ts';
import places from '../../../../shared/data/charts/maps/places.json' with { type: 'json' };
import { findPlace } from '../../../../shared/data/charts/maps/places.ts';
import { chartAlternative } from '../../../../shared/data/documents/alternative-text.ts';

const SIZE = { width: 640, height: 400 };
const country: ChartColumn = { name: 'Country', role: 'dimension', type: 'string' };
const sales: ChartColumn = { name: 'Sales', role: 'measure', type: 'decimal' };
const day: ChartColumn = { name: 'Day', role: 'dimension', type: 'date' };
const look: ChartLook = {
  mark: { type: 'geoshape' },
  encoding: { shape: { field: 'Country' }, color: { field: 'Sales', format: ',.1f' } },
};
const data: ChartData = {
  columns: [country, sales],
  rows: [
    ['de', '10.5'],
    ['Singapore', '7'],
    ['<b>Atlantis</b>', '1'],
    [null, '2'],
    [null, '3'],
    ['DEU', '4'],
  ],
};

describe('the places of maps', () => {
  it('are those of the packages that they come from', () => {
    const folder = join(import.meta.dirname, '../../../../shared/data/charts/maps');
    for (const [name, text] of Object.entries(mapFiles()))
      expect(text === readFileSync(join(folder, name), 'utf8'), `${name} is out of date: npm run maps`).toBe(true);
  });

  it('have a key once, except where names are shared', () => {
    expect([places.countries.length, places['us-states'].length]).toEqual([235, 51]);
    for (const list of [places.countries, places['us-states']]) {
      const keys = list.flatMap((place) => place.keys);
      expect(keys.filter((key, index) => keys.indexOf(key) !== index && key !== 'congo')).toEqual([]);
    }
  });

  it.for([
    ['countries', ['DE', 'deu', '276', 276, 'Germany', ' GERMANY '], '276'],
    ['countries', ['AF', 4, '004'], '004'],
    ['countries', ["Côte d'Ivoire", 'Cote d’Ivoire', 'Ivory Coast'], '384'],
    ['countries', ['Viet Nam', 'Vietnam', 'VN'], '704'],
    ['countries', ['United States', 'USA', 'U.S.A.', 'The United States of America'], '840'],
    ['countries', ['St. Lucia', 'Saint Lucia'], '662'],
    ['countries', ['Bosnia & Herzegovina', 'Bosnia and Herzegovina'], '070'],
    ['countries', ['Kosovo', 'XK'], 'XK'],
    ['us-states', ['CA', 'ca', '06', 6, 'California'], '06'],
    ['us-states', ['DC', 'District of Columbia', 'Washington, D.C.'], '11'],
  ] as const)('of %s are found by %j', ([geography, values, id]) => {
    for (const value of values) expect(findPlace(geography, value)?.id, String(value)).toBe(id);
  });

  it('are not found by other values', () => {
    for (const value of ['Atlantis', '', null, true, 999, 1.5, 'Europe', '__proto__', 'constructor'])
      expect(findPlace('countries', value)).toBeUndefined();
    expect(findPlace('us-states', 'Puerto Rico')).toBeUndefined();
  });
});

describe('a map', () => {
  it('names each place by its values and its row, small ones as points, and what it leaves out', async () => {
    const svg = await drawChart(look, data, SIZE);
    expect(svg).toContain('aria-label="Country: Germany; Sales: 10.5" data-row="0"');
    expect(svg).toMatch(
      /aria-label="Country: Singapore; Sales: 7\.0" data-row="1"[^>]* aria-roledescription="circle"|data-row="1"/,
    );
    expect(svg).not.toContain('<b>');
    expect(svg).toContain('2 values are no country on the map (3 rows): &lt;b&gt;Atlantis&lt;/b&gt;, (empty)');
    expect(svg).toContain('The map shows only the first row of Germany');
    expect(svg).not.toMatch(/NaN|undefined|Infinity|\u2063/);
    expect(svg.length).toBeLessThan(250_000);
  });

  it('shows categories, and a tooltip of its own', async () => {
    const kind: ChartColumn = { name: 'Kind', role: 'dimension', type: 'string' };
    const rows = [
      ['CA', 'a', '1'],
      ['TX', 'b', '1000'],
    ];
    const mark = { type: 'geoshape', geography: 'us-states' } as const;
    const tooltip = [{ field: 'Sales', title: 'Sold', format: ',.0f' }, { field: 'Kind' }];
    const encoding = { shape: { field: 'Country' }, color: { field: 'Kind' }, tooltip };
    const svg = await drawChart({ mark, encoding }, { columns: [country, kind, sales], rows }, SIZE);
    expect(svg).toContain('aria-label="Sold: 1,000; Kind: b" data-row="1"');
  });

  it('counts what it leaves out, and names ten', () => {
    const rows = Array.from({ length: 12 }, (_, index) => [`Nowhere ${index}`, 1]);
    expect(mapWarnings(mapRows(look, { columns: [country, sales], rows })!)[0]).toMatch(
      /^12 values are no country on the map \(12 rows\): Nowhere 0, .*Nowhere 9 and 2 more$/,
    );
  });

  it('has an alternative text from its rows', () => {
    expect(chartAlternative({ title: 'Sales', description: '' }, { look, data })).toMatch(
      /^Sales\. Map of 6 rows\. 2 values are no country on the map .*Country: de, Sales: 10\.5/,
    );
  });

  it('takes places, a color and a tooltip, and nothing else', () => {
    const columns = [country, sales, day];
    const issues = (chart: ChartLook) => lookIssues(chart, columns).map(({ pointer, code }) => `${pointer} ${code}`);
    expect(issues(look)).toEqual([]);
    expect(issues({ mark: { type: 'geoshape' } })).toEqual(['/encoding REQUIRED']);
    const encoding = { shape: { field: 'Day' }, x: { field: 'Sales' }, row: { field: 'Day' } };
    expect(issues({ mark: { type: 'geoshape' }, encoding })).toEqual([
      '/encoding/x CONFLICT',
      '/encoding/row CONFLICT',
      '/encoding/shape/field CONFLICT',
    ]);
    const bar = { mark: { type: 'bar', geography: 'countries' }, encoding: { x: { field: 'Sales' } } } as const;
    expect(issues(bar)).toEqual(['/mark/geography CONFLICT']);
    expect(issues({ mark: { type: 'bar' }, layer: [{ mark: look.mark, encoding: look.encoding! }] })).toEqual([
      '/layer/0/mark/type CONFLICT',
    ]);
  });
});

describe('a column of places', () => {
  it.for([
    ['customer', ['Germany', 'France', 'Japan'], 'countries'],
    ['state', ['Ohio', 'Texas', 'Georgia'], 'us-states'],
    ['country_code', ['CA', 'DE', 'IN'], 'countries'],
    ['state', ['CA', 'DE', 'IN'], 'us-states'],
    ['code', ['CA', 'DE', 'IN'], undefined],
    ['country', ['Germany', 'France'], undefined],
    ['country', ['Germany', 'France', 'Japan', 'Atlantis'], undefined],
    ['customer_id', ['4', '8', '12'], undefined],
    ['region', ['North', 'South', 'East'], undefined],
  ] as const)('is known by its name %s and its values %j: %s', ([name, values, geography]) => {
    expect(geographyOf(name, values)).toBe(geography);
  });
});
