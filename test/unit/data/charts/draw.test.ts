import { once } from 'node:events';
import { createServer } from 'node:http';
import { describe, expect, it } from 'vitest';
import type { ChartColumn, ChartData } from '../../../../shared/data/charts/chart-columns.ts';
import { type ChartLook, MARKS, type MarkType } from '../../../../shared/data/charts/chart-look.ts';
import { drawChart } from '../../../../shared/data/charts/draw.ts';
import { pivoted } from '../../../../shared/data/charts/pivot.ts';
import { DEFAULT_TOKENS, surfaceOf } from '../../../../shared/data/charts/theme.ts';

const SIZE = { width: 320, height: 240 };
const month: ChartColumn = { name: 'Month', role: 'dimension', type: 'date', grain: 'month' };
const region: ChartColumn = { name: 'Region', role: 'dimension', type: 'string' };
const sales: ChartColumn = { name: 'Sales', role: 'measure', type: 'decimal' };
const data: ChartData = {
  columns: [month, region, sales],
  rows: [
    ['2025-01-01', 'North', '10.5'],
    ['2025-01-01', 'South', '20'],
    ['2025-02-01', 'North', '12'],
    ['2025-02-01', 'South', '8'],
  ],
};
const bar: ChartLook = {
  mark: { type: 'bar' },
  encoding: { x: { field: 'Month' }, y: { field: 'Sales' }, color: { field: 'Region' } },
};

const labelsOf = (svg: string) =>
  [...svg.matchAll(/aria-roledescription="[^"]*" d=|aria-label="([^"]*)"/g)].flatMap((match) => match[1] ?? []);

describe('a chart', () => {
  const LOOKS: Partial<Record<MarkType, ChartLook['encoding']>> = {
    arc: { theta: { field: 'Sales' }, color: { field: 'Region' } },
    text: { x: { field: 'Month' }, y: { field: 'Region' }, text: { field: 'Sales' } },
    rect: { x: { field: 'Month' }, y: { field: 'Region' }, color: { field: 'Sales' } },
    geoshape: { shape: { field: 'Region' }, color: { field: 'Sales' } },
    kpi: { text: { field: 'Sales' } },
    pivot: { row: { field: 'Region' }, column: { field: 'Month' }, text: { field: 'Sales' } },
    table: {},
  };

  for (const type of MARKS) {
    it(`is drawn with the mark ${type}, with rows, one row, none and empty values`, async () => {
      const look: ChartLook = {
        mark: { type },
        encoding: LOOKS[type] ?? { x: { field: 'Month' }, y: { field: 'Sales' } },
      };
      const nulls = data.rows.map(() => [null, null, null]);
      const dark = { ...DEFAULT_TOKENS, dark: true };
      for (const [rows, theme] of [[data.rows, dark], [data.rows.slice(0, 1)], [[]], [nulls]] as const) {
        const svg = await drawChart(look, { ...data, rows }, { ...SIZE, ...(theme && { theme }) });
        expect(svg).toMatch(/^<svg[^>]* xmlns="http:\/\/www.w3.org\/2000\/svg"/);
        expect(svg).not.toMatch(/NaN|undefined|Infinity/);
      }
    });
  }

  it('has ids of its own, the same each time, which no other chart of a page has', async () => {
    const labelled: ChartLook = { ...bar, config: { ...bar.config, showLabels: true } };
    const heat: ChartLook = {
      mark: { type: 'rect' },
      encoding: { x: { field: 'Month' }, y: { field: 'Region' }, color: { field: 'Sales' } },
    };
    const draw = () => Promise.all([bar, labelled, heat].map((look) => drawChart(look, data, SIZE)));
    const drawn = await draw();
    expect(await draw()).toEqual(drawn);
    const ids = drawn.map((svg) => [...svg.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id!));
    expect(ids[2]).not.toEqual([]);
    expect(new Set(ids.flat()).size).toBe(ids.flat().length);
    for (const [at, svg] of drawn.entries())
      for (const [, used] of svg.matchAll(/url\(#([^)]+)\)/g)) expect(ids[at]).toContain(used);
  });

  it('names each mark by its values', async () => {
    const svg = await drawChart(bar, data, SIZE);
    expect(labelsOf(svg)).toEqual(
      expect.arrayContaining([
        'Month: Jan 2025; Sales: 10.5; Region: North',
        'Month: Feb 2025; Sales: 8; Region: South',
      ]),
    );
  });

  it('keeps the days and the years of dates, whatever the time zone of the machine', async () => {
    const day: ChartColumn = { name: 'Day', role: 'dimension', type: 'date', grain: 'day' };
    const look: ChartLook = { mark: { type: 'bar' }, encoding: { x: { field: 'Day' }, y: { field: 'Sales' } } };
    const days = ['0087-12-31', '1899-01-01', '2024-02-29', '9999-12-31'];
    const svg = await drawChart(look, { columns: [day, sales], rows: days.map((each) => [each, 1]) }, SIZE);
    for (const each of days) expect(svg).toContain(`Day: ${each}`);
  });

  it('shows markup, paths and braces in names and values as text', async () => {
    const name = `a.b[0] <script>alert(1)</script> {"expr":"1"} 'x' \\`;
    const hostile: ChartColumn = { name, role: 'dimension', type: 'string' };
    const rows = [
      ['</text><script>alert(1)</script>', 1],
      ['__proto__', 2],
      ['مرحبا 🎉', 3],
      ['\u0000\ud800', 4],
    ];
    for (const mark of ['bar', 'table', 'kpi', 'arc'] as const) {
      const encoding: ChartLook['encoding'] =
        mark === 'arc'
          ? { theta: { field: 'Sales' }, color: { field: name } }
          : mark === 'bar'
            ? { x: { field: name }, y: { field: 'Sales' } }
            : {};
      const svg = await drawChart({ mark: { type: mark }, encoding }, { columns: [hostile, sales], rows }, SIZE);
      expect(svg).not.toContain('<script');
      expect(svg).not.toContain('\u0000');
      if (mark !== 'kpi') expect(svg).toContain('🎉');
    }
  });

  it('requests nothing, even when names and values are addresses', async () => {
    let requests = 0;
    const server = createServer((_, response) => {
      requests += 1;
      response.end();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as { port: number }).port}/x.png`;
    try {
      const link: ChartColumn = { name: url, role: 'dimension', type: 'string' };
      const look: ChartLook = { mark: { type: 'bar' }, encoding: { x: { field: url }, y: { field: 'Sales' } } };
      const svg = await drawChart(look, { columns: [link, sales], rows: [[url, 1]] }, SIZE);
      expect(svg).not.toMatch(/href|<image/);
      expect(requests).toBe(0);
    } finally {
      server.close();
    }
  });

  it('draws ranges of numbers beside each other', async () => {
    const age: ChartColumn = { name: 'Age', role: 'dimension', type: 'integer', binWidth: 10 };
    const look: ChartLook = { mark: { type: 'bar' }, encoding: { x: { field: 'Age' }, y: { field: 'Sales' } } };
    const svg = await drawChart(
      look,
      {
        columns: [age, sales],
        rows: [
          [0, 1],
          [10, 3],
          [20, 2],
        ],
      },
      SIZE,
    );
    expect(labelsOf(svg)).toEqual(expect.arrayContaining(['Age: 0 – 10; Sales: 1', 'Age: 20 – 30; Sales: 2']));
  });

  it('draws layers on the same periods, with an axis for each if wanted', async () => {
    const look: ChartLook = {
      mark: { type: 'bar' },
      layer: [
        { mark: { type: 'bar' }, encoding: { x: { field: 'Month' }, y: { field: 'Sales' } } },
        { mark: { type: 'line' }, encoding: { x: { field: 'Month' }, y: { field: 'Sales' } } },
      ],
      config: { independentY: true },
    };
    const svg = await drawChart(look, { ...data, rows: data.rows.slice(1, 3) }, SIZE);
    expect(svg.match(/aria-roledescription="axis"/g)).toHaveLength(3);
    expect(svg).toContain('mark-line');
  });

  it('draws at most 100 charts beside each other', async () => {
    const rows = Array.from({ length: 101 }, (_, index) => ['2025-01-01', `Region ${index}`, index]);
    const encoding = { x: { field: 'Month' }, y: { field: 'Sales' }, row: { field: 'Region' } };
    const draw = (count: number) =>
      drawChart({ mark: { type: 'bar' }, encoding }, { ...data, rows: rows.slice(0, count) }, SIZE);
    expect(await draw(101)).toContain('More than 100');
    expect((await draw(3)).match(/Sales: \d/g)).toHaveLength(3);
  });

  it('takes 5,000 rows', async () => {
    const rows = Array.from({ length: 5000 }, (_, index) => ['2025-01-01', `Region ${index}`, index]);
    const look: ChartLook = { mark: { type: 'bar' }, encoding: { x: { field: 'Region' }, y: { field: 'Sales' } } };
    const svg = await drawChart(look, { ...data, rows }, SIZE);
    expect(svg.match(/role="graphics-symbol" aria-roledescription="bar"/g)).toHaveLength(5000);
  });
});

describe('lines at values', () => {
  const lines = [
    { value: 30, label: 'Goal' },
    { value: 1.5, color: '#ff0000' },
  ];
  const byMonth: ChartData = {
    columns: [month, sales],
    rows: [
      ['2025-01-01', 10],
      ['2025-02-01', 20],
    ],
  };
  const [x, y] = [{ field: 'Month' }, { field: 'Sales' }];

  it('are drawn on the axis of numbers, with their labels and values', async () => {
    for (const encoding of [
      { x, y },
      { x: y, y: x },
    ]) {
      const svg = await drawChart({ mark: { type: 'bar' }, encoding, config: { lines } }, byMonth, SIZE);
      expect(labelsOf(svg)).toEqual(expect.arrayContaining(['Goal: 30', '1.5']));
      expect(svg).toContain('stroke="#ff0000"');
      expect(svg).toMatch(/>Goal( 30)?</);
    }
  });

  it('leave markup in labels as text, and nothing below 0 on a logarithmic axis', async () => {
    const config = {
      lines: [
        { value: -5, label: 'Below' },
        { value: 15, label: '<b>{datum}</b>' },
      ],
    };
    const encoding = { x, y: { ...y, scale: { type: 'log' as const } } };
    const svg = await drawChart({ mark: { type: 'line' }, encoding, config }, byMonth, SIZE);
    expect(svg).toContain('&lt;b&gt;{datum}&lt;/b&gt;');
    expect(svg).not.toContain('Below');
  });

  it('share the axis of their layer', async () => {
    const layer = [
      { mark: { type: 'bar' as const }, encoding: { x, y } },
      { mark: { type: 'line' as const }, encoding: { x, y: { field: 'Orders' } } },
    ];
    const orders: ChartColumn = { ...sales, name: 'Orders' };
    const both = { columns: [month, sales, orders], rows: byMonth.rows.map((row, at) => [...row, 5000 * (at + 1)]) };
    const look: ChartLook = { mark: { type: 'bar' }, layer, config: { independentY: true, lines } };
    const svg = await drawChart(look, both, SIZE);
    expect(svg.match(/aria-label="Y-axis/g)).toHaveLength(2);
    expect(labelsOf(svg)).toContain('Goal: 30');
    // The legend names what the layers show, in the colors of their axes.
    expect(svg).toContain('>Sales</text>');
    expect(labelsOf(svg).filter((label) => label.includes('legend'))).toHaveLength(1);
    const same = { ...look, layer: [layer[0]!, { ...layer[1]!, encoding: { x, y } }] };
    expect(await drawChart(same, both, SIZE)).not.toContain('legend');
  });
});

describe('a number', () => {
  const kpi: ChartLook = { mark: { type: 'kpi' } };
  const history = (values: (number | null)[]): ChartData => ({
    columns: [month, sales],
    rows: values.map((value, index) => [`2025-${String(index + 1).padStart(2, '0')}-01`, value]),
  });

  it('is shown with its change since the period before, and its history', async () => {
    const svg = await drawChart(kpi, history([100, 200, 150]), SIZE);
    expect(svg).toContain('aria-label="Sales, Mar 2025: 150, −25.0% since Feb 2025"');
    expect(svg).toContain('>Sales · Mar 2025<');
    expect(svg).toContain('<polyline');
  });

  it('has no change without a value before, or with zero', async () => {
    expect(await drawChart(kpi, history([0, 5]), SIZE)).toContain('aria-label="Sales, Feb 2025: 5"');
    expect(await drawChart(kpi, history([null, 5]), SIZE)).toContain('aria-label="Sales, Feb 2025: 5"');
    expect(await drawChart(kpi, history([]), SIZE)).toContain('aria-label="Sales: –"');
    const unchanged = await drawChart(kpi, history([5, 5]), SIZE);
    expect(unchanged).toContain('aria-label="Sales, Feb 2025: 5, +0.0% since Jan 2025"');
    expect(unchanged).not.toMatch(/[▲▼]/);
  });

  it('is not compared with rows without a date, which belong to no period', async () => {
    const { columns, rows } = history([100, 150]);
    const withoutDate: (string | null)[][] = [[null, '50']];
    expect(await drawChart(kpi, { columns, rows: [...rows.slice(1), ...withoutDate] }, SIZE)).toContain(
      'aria-label="Sales, Feb 2025: 150"',
    );
    const svg = await drawChart(kpi, { columns, rows: [...rows, ...withoutDate] }, SIZE);
    expect(svg).toContain('aria-label="Sales, Feb 2025: 150, +50.0% since Jan 2025"');
    expect(svg).toBe(await drawChart(kpi, { columns, rows }, SIZE));
    expect(await drawChart(kpi, { columns, rows: withoutDate }, SIZE)).toContain('50');
  });

  it('is compared with its target and with the year before', async () => {
    const rows = Array.from({ length: 13 }, (_, index) => [
      new Date(Date.UTC(2025, index, 1)).toISOString().slice(0, 10),
      index === 12 ? 120 : 100,
      150,
    ]);
    const goal: ChartColumn = { ...sales, name: 'Goal' };
    const compared = async (target: string | number | undefined, count = 13) =>
      / aria-label="([^"]*)"/.exec(
        await drawChart(
          { mark: { type: 'kpi', ...(target !== undefined && { target }) }, encoding: { text: { field: 'Sales' } } },
          { columns: [month, sales, goal], rows: rows.slice(-count) },
          SIZE,
        ),
      )?.[1];
    expect(await compared('Goal')).toBe(
      'Sales, Jan 2026: 120, +20.0% since Dec 2025, −20.0% to target 150, +20.0% since Jan 2025',
    );
    expect(await compared(1234.5, 12)).toBe('Sales, Jan 2026: 120, +20.0% since Dec 2025, −90.3% to target 1,234.5');
    expect(await compared(0, 1)).toBe('Sales, Jan 2026: 120');
  });

  it('of 29 February is compared with 28 February of the year before', async () => {
    const days = ['2023-02-28', '2023-03-01', '2024-02-29'];
    const data = {
      columns: [{ ...month, grain: 'day' as const }, sales],
      rows: days.map((day, at) => [day, 100 + at]),
    };
    expect(await drawChart(kpi, data, SIZE)).toContain(
      'Sales, 2024-02-29: 102, +1.0% since 2023-03-01, +2.0% since 2023-02-28',
    );
  });

  it('is compared with the week 52 weeks before, and a year with the year before once', async () => {
    const label = async (grain: 'week' | 'year', days: string[]) =>
      / aria-label="([^"]*)"/.exec(
        await drawChart(
          kpi,
          { columns: [{ ...month, grain }, sales], rows: days.map((day, index) => [day, 100 + index]) },
          SIZE,
        ),
      )?.[1];
    expect(await label('week', ['2025-01-06', '2025-12-29', '2026-01-05'])).toBe(
      'Sales, 2026-01-05: 102, +1.0% since 2025-12-29, +2.0% since 2025-01-06',
    );
    expect(await label('year', ['2025-01-01', '2026-01-01'])).toBe('Sales, 2026: 101, +1.0% since 2025');
  });

  it('is green or red by its direction, and has no history where rows share a period', async () => {
    const { good, bad } = surfaceOf(DEFAULT_TOKENS);
    const slower: ChartLook = { mark: { type: 'kpi', direction: 'down_good' } };
    expect(await drawChart(slower, history([100, 150]), SIZE)).toContain(`fill="${bad}"`);
    expect(await drawChart(slower, history([150, 100]), SIZE)).toContain(`fill="${good}"`);
    expect(await drawChart(kpi, history([100, 150]), SIZE)).toContain(`fill="${good}"`);
    const shared = { ...history([1, 2]), rows: [1, 2].map((value) => ['2025-01-01', value]) };
    expect(await drawChart(kpi, shared, SIZE)).not.toMatch(/since|polyline/);
  });

  it('has all its digits, smaller ones where there is little room, unless a format is given', async () => {
    const sizeOf = (svg: string) => Number(/font-size="([\d.]+)"[^>]*>1,234,567/.exec(svg)?.[1]);
    const wide = await drawChart(kpi, history([1_234_567]), SIZE);
    const narrow = await drawChart(kpi, history([1_234_567]), { ...SIZE, width: 60 });
    for (const svg of [wide, narrow]) expect(svg).toContain('>1,234,567<');
    expect(sizeOf(narrow)).toBeLessThan(sizeOf(wide) / 3);
    const short: ChartLook = { mark: { type: 'kpi' }, encoding: { text: { field: 'Sales', format: '.3~s' } } };
    expect(await drawChart(short, history([1_234_567]), SIZE)).toContain('Sales, Jan 2025: 1.23M');
  });
});

describe('a table', () => {
  it('shows as many rows and columns as there is room for, and counts the others', async () => {
    const columns = Array.from({ length: 8 }, (_, index): ChartColumn => ({ ...sales, name: `c${index}` }));
    const rows = Array.from({ length: 30 }, (_, index) => columns.map(() => index));
    const svg = await drawChart({ mark: { type: 'table' } }, { columns, rows }, SIZE);
    expect(svg).toContain('22 more rows, 3 more columns');
  });

  it('shows the rows instead of a pivot table in which several of them would be one cell', async () => {
    const encoding = { row: { field: 'Region' }, column: { field: 'Month' }, text: { field: 'Sales' } };
    const table = pivoted(encoding, {
      columns: ['Region', 'Month', 'Kind', 'Sales'].map((name) => ({
        ...{ name, role: name === 'Sales' ? 'measure' : 'dimension', type: name === 'Sales' ? 'integer' : 'string' },
      })) as ChartData['columns'],
      rows: [
        ['North', 'Jan', 'new', 1],
        ['North', 'Jan', 'old', 2],
      ],
    });
    expect(table.rows).toEqual([
      ['North', 'Jan', 'new', 1],
      ['North', 'Jan', 'old', 2],
    ]);
  });

  it('counts the columns of a pivot table that are left out', async () => {
    const rows = Array.from({ length: 150 }, (_, index) => ['2025-01-01', `Region ${index}`, index]);
    const look: ChartLook = {
      mark: { type: 'pivot' },
      encoding: { row: { field: 'Month' }, column: { field: 'Region' } },
    };
    expect(await drawChart(look, { ...data, rows }, SIZE)).toContain('146 more columns');
  });

  it('cuts texts before numbers where there is not enough room', async () => {
    const name: ChartColumn = { ...sales, name: 'Name', type: 'string', role: 'dimension' };
    const rows = Array.from({ length: 3 }, (_, index) => ['Westmecklenburg '.repeat(9), 654_321 + index]);
    const shown = (columns: ChartColumn[], width: number) =>
      drawChart({ mark: { type: 'table' } }, { columns, rows }, { width, height: 200, theme: DEFAULT_TOKENS });
    for (const width of [160, 200, 260]) {
      const svg = await shown([name, sales], width);
      for (const text of ['>Name<', '>Sales<', '>654,321<', '>654,323<', '…<']) expect(svg).toContain(text);
    }
    // Where the numbers need nearly all of the width, the texts are smaller.
    const narrow = await shown([name, { ...sales, name: 'S'.repeat(40) }], 115);
    for (const text of ['>654,321<', '>654,323<', '…<', 'font-size="10']) expect(narrow).toContain(text);
  });

  it('shows integers with all digits', async () => {
    const big: ChartColumn = { ...sales, type: 'integer' };
    const svg = await drawChart(
      { mark: { type: 'table' } },
      { columns: [big], rows: [['123456789012345678901']] },
      SIZE,
    );
    expect(svg).toContain('123,456,789,012,345,678,901');
  });
});
