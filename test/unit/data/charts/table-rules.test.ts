import { describe, expect, it } from 'vitest';
import { sortRows } from '../../../../functions/boards/browser/sort-rows.ts';
import type { ChartColumn } from '../../../../shared/data/charts/chart-columns.ts';
import { drawChart } from '../../../../shared/data/charts/draw.ts';
import { lookIssues } from '../../../../shared/data/charts/look-issues.ts';
import { safeAddress } from '../../../../shared/data/charts/safe-address.ts';
import { barOf, ruleFor, scaleColor, spanOf } from '../../../../shared/data/charts/table-rules.ts';

const name: ChartColumn = { name: 'Name', role: 'dimension', type: 'string' };
const amount: ChartColumn = { name: 'Amount', role: 'measure', type: 'decimal' };
const day: ChartColumn = { name: 'Day', role: 'dimension', type: 'date' };

describe('the bars of a column', () => {
  it('begin at 0, to the left of it for negative numbers', () => {
    const bars = (...numbers: number[]) => numbers.map((number) => barOf(number, spanOf(numbers, true)));
    expect(bars(4, 1)).toEqual([
      { start: 0, length: 1 },
      { start: 0, length: 0.25 },
    ]);
    expect(bars(-1, 3, 0)).toEqual([
      { start: 0, length: 0.25 },
      { start: 0.25, length: 0.75 },
      { start: 0.25, length: 0 },
    ]);
    expect(bars(-2, -4)).toEqual([
      { start: 0.5, length: 0.5 },
      { start: 0, length: 1 },
    ]);
    expect(bars(0)).toEqual([{ start: 0, length: 0 }]);
    expect(spanOf([-2, -4], false)).toEqual({ low: -4, high: -2 });
  });

  it('are drawn so in pictures', async () => {
    const rows = [
      ['A', -1],
      ['B', 3],
    ];
    const look = { mark: { type: 'table' as const, columns: [{ field: 'Name' }, { field: 'Amount', showBar: true }] } };
    const svg = await drawChart(look, { columns: [name, amount], rows }, { width: 300, height: 120 });
    const bars = [...svg.matchAll(/<rect x="([\d.]+)"[^>]* width="([\d.]+)"/g)].map(([, x, width]) =>
      [x, width].map(Number),
    );
    expect(bars).toHaveLength(2);
    expect(bars[0]![0]! + bars[0]![1]!).toBeCloseTo(bars[1]![0]!, 1);
    expect(bars[1]![1]!).toBeCloseTo(3 * bars[0]![1]!, 0);
  });
});

describe('the rules of a column', () => {
  it.each([
    ['lt', 0, '-0.5', true],
    ['lt', 0, 0, false],
    ['lte', 0, '0', true],
    ['gt', 9, '10', true],
    ['gte', 10, 10, true],
    ['eq', 1, '1.0', true],
    ['ne', 1, 1, false],
    ['eq', 'late', 'late', true],
    ['eq', 'late', 'Late', false],
    ['contains', 'LAT', 'too late', true],
    ['contains', '12', 3124, true],
    ['gte', '2026-02-01', '2026-02-01', true],
    ['lt', '2026-02-01', '2026-01-31', true],
    ['ne', 1, null, false],
    ['gt', 1, 'many', false],
  ] as const)('%s %j of %j is %j', (op, value, cell, isMet) => {
    expect(ruleFor([{ op, value, color: '#ff0000' }], cell) !== undefined).toBe(isMet);
  });

  it('apply in their order', () => {
    const rules = [
      { op: 'lt', value: 10, icon: 'down' },
      { op: 'lt', value: 20, icon: 'dot' },
    ] as const;
    expect([5, 15, 25].map((value) => ruleFor([...rules], value)?.icon)).toEqual(['down', 'dot', undefined]);
  });

  it('mix the colors of scales by two or by three', () => {
    expect([0, 0.5, 1].map((share) => scaleColor(['#000000', '#ffffff'], share))).toEqual([
      '#000000',
      '#808080',
      '#ffffff',
    ]);
    expect([0, 0.25, 0.5, 1].map((share) => scaleColor(['#ff0000', '#000000', '#00ff00'], share))).toEqual([
      ...['#ff0000', '#800000', '#000000', '#00ff00'],
    ]);
  });
});

describe('addresses of links', () => {
  it('have a scheme that runs no code', () => {
    expect(safeAddress('https://example.com/a?b=1')).toBe('https://example.com/a?b=1');
    expect(safeAddress(' mailto:a@example.com ')).toBe('mailto:a@example.com');
    for (const value of [
      'javascript:alert(1)',
      ' java\nscript:alert(1)',
      'JAVASCRIPT:alert(1)',
      'data:text/html,<script>',
      'vbscript:x',
      'file:///etc/passwd',
      'blob:https://example.com/1',
      '/relative',
      'example.com',
      '',
      null,
      5,
      ['https://example.com'],
    ])
      expect(safeAddress(value), String(value)).toBeUndefined();
  });
});

describe('rows in the order of a column', () => {
  it('sort numbers, dates and texts as such, with missing values last in both directions', () => {
    const rows = [
      ['b10', '9', '2026-01-02'],
      ['b9', '10', null],
      [null, null, '2025-12-31'],
      ['Ä', '-1', '2026-01-01'],
    ];
    const order = (at: number, isDown = false) => sortRows(rows, [name, amount, day], { at, isDown });
    expect([order(0), order(0, true)]).toEqual([
      [3, 1, 0, 2],
      [0, 1, 3, 2],
    ]);
    expect([order(1), order(1, true)]).toEqual([
      [3, 0, 1, 2],
      [1, 0, 3, 2],
    ]);
    expect([order(2), order(2, true)]).toEqual([
      [2, 3, 0, 1],
      [0, 3, 2, 1],
    ]);
    expect(sortRows(rows, [name, amount, day], undefined)).toEqual([0, 1, 2, 3]);
  });

  it('keep the order of equal values', () => {
    const rows = [
      ['x', 1],
      ['y', 1],
      ['z', 0],
    ];
    expect(sortRows(rows, [name, amount], { at: 1, isDown: true })).toEqual([0, 1, 2]);
  });
});

describe('a picture of a table', () => {
  const rows = [
    ['North', 10],
    ['South', -5],
    ['East', null],
  ];
  const draw = (column: object, size = { width: 400, height: 200 }) =>
    drawChart(
      { mark: { type: 'table', columns: [{ field: 'Name' }, { field: 'Amount', ...column }] } },
      { columns: [name, amount], rows },
      size,
    );

  it('colors the cells that meet a rule, or has an icon before them', async () => {
    const filled = await draw({ rules: [{ op: 'lt', value: 0, color: '#ff0000' }] });
    expect(filled.match(/fill="#ffc2c2"/g)).toHaveLength(1);
    const marked = await draw({ rules: [{ op: 'gt', value: 0, color: '#00aa00', icon: 'up' }] });
    expect(marked.match(/<path d="M-4,4L0,-4L4,4Z" transform="[^"]*" fill="#00aa00">/g)).toHaveLength(1);
    expect(marked).toContain('>10</text>');
  });

  it('colors numbers by a scale of colors', async () => {
    const svg = await draw({ showColor: true, colors: ['#ff0000', '#ffffff', '#00ff00'] });
    expect(svg).toContain('fill="#ffc2c2"');
    expect(svg).toContain('fill="#c2ffc2"');
  });

  it('gives columns their widths in proportion', async () => {
    const roomOf = async (width: number) => {
      const svg = await draw({ width, showBar: true });
      return Math.max(...[...svg.matchAll(/<rect[^>]* width="([\d.]+)"/g)].map(([, bar]) => Number(bar)));
    };
    // The bar of 10 on a scale from -5, with two pixels on each side of it.
    expect((await roomOf(300)) / (await roomOf(100))).toBeCloseTo(1.32, 1);
  });
});

it('checks the rules, colors and links of columns', () => {
  const columns = [name, amount, day];
  const table = (column: object) =>
    lookIssues({ mark: { type: 'table', columns: [{ field: 'Amount', ...column }] } }, columns);
  expect(table({ rules: [{ op: 'lt', value: 0, color: '#ff0000' }], link: { field: 'Name' } })).toEqual([]);
  expect(table({ link: { field: 'Nmae' } })).toMatchObject([
    { pointer: '/mark/columns/0/link/field', code: 'UNKNOWN' },
  ]);
  expect(table({ colors: ['#ff0000', '#00ff00'], rules: [{ op: 'lt', value: 'x' }] })).toEqual([
    { pointer: '/mark/columns/0/colors', code: 'CONFLICT', message: 'has no effect without `showColor`' },
    { pointer: '/mark/columns/0/rules/0/value', code: 'TYPE', message: 'must be a number, like the column' },
    { pointer: '/mark/columns/0/rules/0', code: 'REQUIRED', message: 'needs `color` or `icon`' },
  ]);
  const text = {
    mark: { type: 'table', columns: [{ field: 'Name', rules: [{ op: 'eq', value: 5, icon: 'dot' }] }] },
  } as const;
  expect(lookIssues(structuredClone(text) as never, columns)).toMatchObject([
    { pointer: '/mark/columns/0/rules/0/value', code: 'TYPE' },
  ]);
});
