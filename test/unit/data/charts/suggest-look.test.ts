import { describe, expect, it } from 'vitest';
import type { ChartColumn } from '../../../../shared/data/charts/chart-columns.ts';
import { lookIssues } from '../../../../shared/data/charts/look-issues.ts';
import { suggestLook, suggestLooks } from '../../../../shared/data/charts/suggest-look.ts';

const column = (name: string, type = 'string'): ChartColumn => ({
  name,
  type,
  role: /^(integer|double|decimal)/.test(type) ? 'measure' : 'dimension',
});
const REGION = column('region');
const CHANNEL = column('channel');
const MONTH = column('month', 'date');
const REVENUE = column('revenue', 'double');
const ORDERS = column('orders', 'integer');

const months = (count: number) =>
  Array.from(
    { length: count },
    (_, index) => `20${20 + Math.floor(index / 12)}-${String((index % 12) + 1).padStart(2, '0')}-01`,
  );
const names = (count: number, prefix = 'r') => Array.from({ length: count }, (_, index) => `${prefix}${index}`);

/** What is drawn, as `mark` and the columns of its channels. */
function drawn(columns: ChartColumn[], rows: unknown[][]) {
  const { cardType, ...look } = suggestLook({ columns, rows });
  expect(lookIssues(look, columns)).toEqual([]);
  const channels = Object.entries(look.encoding ?? {}).map(([name, value]) =>
    Array.isArray(value) ? name : `${name}=${(value as { field: string }).field}`,
  );
  return [cardType, look.layer ? look.layer.map(({ mark }) => mark.type).join('+') : look.mark.type, ...channels].join(
    ' ',
  );
}

describe('a chart that is chosen for rows', () => {
  it('shows a single number as a KPI', () => {
    expect(drawn([REVENUE], [[12.5]])).toBe('kpi kpi text=revenue');
  });

  it('draws a trend as a line, with a line for each of a few names', () => {
    expect(
      drawn(
        [MONTH, REVENUE],
        months(24).map((month) => [month, 1]),
      ),
    ).toBe('chart line x=month y=revenue');
    const rows = months(3).flatMap((month) => names(3).map((region) => [month, region, 1]));
    expect(drawn([MONTH, REGION, REVENUE], rows)).toBe('chart line x=month y=revenue color=region');
    const many = months(2).flatMap((month) => names(20).map((region) => [month, region, 1]));
    expect(drawn([MONTH, REGION, REVENUE], many)).toBe('table table');
  });

  it('gives two numbers over time an axis each', () => {
    const rows = months(6).map((month) => [month, 1_000_000, 3]);
    expect(drawn([MONTH, REVENUE, ORDERS], rows)).toBe('chart line+line');
    expect(suggestLook({ columns: [MONTH, REVENUE, ORDERS], rows }).config).toEqual({ independentY: true });
  });

  it('treats a year as a time, and an id as a name', () => {
    const year = column('year', 'integer');
    expect(
      drawn(
        [year, REVENUE],
        [
          [2024, 1],
          [2025, 2],
        ],
      ),
    ).toBe('chart line x=year y=revenue');
    const id = column('customer_id', 'integer');
    expect(
      drawn(
        [id, REVENUE],
        [
          [1, 10],
          [2, 20],
        ],
      ),
    ).toBe('chart bar x=customer_id y=revenue');
  });

  it('compares names by bars, the longest first, and horizontally where names are long or many', () => {
    const few = suggestLook({ columns: [REGION, REVENUE], rows: names(4).map((name) => [name, 1]) });
    expect(few.encoding).toEqual({ x: { field: 'region', sort: '-y' }, y: { field: 'revenue' } });
    const long = suggestLook({
      columns: [REGION, REVENUE],
      rows: [
        ['Mecklenburg-Vorpommern', 1],
        ['Berlin', 2],
      ],
    });
    expect(long.encoding).toEqual({ x: { field: 'revenue' }, y: { field: 'region', sort: '-x' } });
    expect(
      drawn(
        [REGION, REVENUE],
        names(25).map((name) => [name, 1]),
      ),
    ).toBe('chart bar x=revenue y=region');
    expect(
      drawn(
        [REGION, REVENUE],
        names(200).map((name) => [name, 1]),
      ),
    ).toBe('table table');
  });

  it('stacks two names, or draws a heat map of many', () => {
    const rows = (outer: number, inner: number) =>
      names(outer).flatMap((region) => names(inner, 'c').map((channel) => [region, channel, 1]));
    expect(drawn([REGION, CHANNEL, REVENUE], rows(6, 3))).toBe('chart bar x=region y=revenue color=channel');
    expect(
      drawn(
        [CHANNEL, REGION, REVENUE],
        rows(3, 6).map(([a, b, v]) => [a, b, v]),
      ),
    ).toMatch(/^chart bar x=region/);
    expect(drawn([REGION, CHANNEL, REVENUE], rows(40, 12))).toBe('chart rect x=channel y=region color=revenue');
    expect(drawn([REGION, CHANNEL, REVENUE], rows(80, 12))).toBe('table table');
  });

  it('scatters two numbers', () => {
    const rows = names(30).map((name, index) => [name, index, index * 2]);
    expect(drawn([REGION, REVENUE, ORDERS], rows)).toBe('chart point x=revenue y=orders tooltip');
  });

  it('is a table where marks would hide each other, and where there is nothing to compare', () => {
    expect(
      drawn(
        [REGION, REVENUE],
        [
          ['a', 1],
          ['a', 2],
        ],
      ),
    ).toBe('table table');
    expect(
      drawn(
        [MONTH, REVENUE],
        [
          ['2026-01-01', 1],
          ['2026-01-01', 2],
        ],
      ),
    ).toBe('table table');
    expect(drawn([REGION], [['a'], ['b']])).toBe('table table');
    expect(drawn([REGION, REVENUE], [])).toBe('table table');
    expect(drawn([REGION, REVENUE, ORDERS, column('cost', 'double')], [['a', 1, 2, 3]])).toBe('table table');
  });
});

describe('several charts for the same rows', () => {
  /** The marks that are suggested, best first; each one fits the columns. */
  function marks(columns: ChartColumn[], rows: unknown[][]): string[] {
    const suggested = suggestLooks({ columns, rows });
    for (const { look, reason } of suggested) {
      const { cardType: _cardType, ...drawn } = look;
      expect(lookIssues(drawn, columns)).toEqual([]);
      expect(reason).toMatch(/^[A-Z].*\.$/);
    }
    expect(suggested[0]!.look).toEqual(suggestLook({ columns, rows }));
    return suggested.map(({ look }) => look.mark.type);
  }

  it('are one to three, with a table where there is room', () => {
    expect(marks([REVENUE], [[12.5]])).toEqual(['kpi', 'table']);
    const trend = months(24).map((month) => [month, 1]);
    expect(marks([MONTH, REVENUE], trend)).toEqual(['line', 'bar', 'table']);
    const long = months(90).map((month) => [month, 1]);
    expect(marks([MONTH, REVENUE], long)).toEqual(['line', 'table']);
    const few = names(4).map((region) => [region, 3]);
    expect(marks([REGION, REVENUE], few)).toEqual(['bar', 'arc', 'table']);
    const places = ['Germany', 'France', 'Japan'].map((country) => [country, 1]);
    expect(marks([column('country'), REVENUE], places)).toEqual(['geoshape', 'bar', 'arc']);
    const dots = names(9).map((region, index) => [region, index, index * 2]);
    expect(marks([REGION, REVENUE, ORDERS], dots)).toEqual(['point', 'table']);
  });

  it('have no pie of numbers that are no parts: negative, unknown or many', () => {
    expect(
      marks(
        [REGION, REVENUE],
        [
          ['a', 3],
          ['b', -1],
        ],
      ),
    ).toEqual(['bar', 'table']);
    expect(
      marks(
        [REGION, REVENUE],
        [
          ['a', 3],
          ['b', null],
        ],
      ),
    ).toEqual(['bar', 'table']);
    expect(
      marks(
        [REGION, REVENUE],
        names(7).map((region) => [region, 1]),
      ),
    ).toEqual(['bar', 'table']);
  });

  it('are a table alone for no rows, and for rows whose marks would overlap', () => {
    expect(marks([REGION, REVENUE], [])).toEqual(['table']);
    expect(
      marks(
        [REGION, REVENUE],
        [
          ['a', 1],
          ['a', 2],
        ],
      ),
    ).toEqual(['table']);
  });
});
