import { describe, expect, it } from 'vitest';
import type { ChartColumn, ChartData } from '../../../../shared/data/charts/chart-columns.ts';
import { type ChartLook, MARKS } from '../../../../shared/data/charts/chart-look.ts';
import { drawChart } from '../../../../shared/data/charts/draw.ts';
import { CHART_KINDS } from '../../../../shared/data/charts/kinds/chart-kinds.ts';
import { lookIssues } from '../../../../shared/data/charts/look-issues.ts';
import { readSvg, type SvgNode } from '../../../../shared/data/documents/svg-tree.ts';
import { placedTexts } from '../../../support/svg-texts.ts';

const SIZE = { width: 600, height: 300 };
const name: ChartColumn = { name: 'Name', role: 'dimension', type: 'string' };
const group: ChartColumn = { name: 'Group', role: 'dimension', type: 'string' };
const amount: ChartColumn = { name: 'Amount', role: 'measure', type: 'decimal' };
const day: ChartColumn = { name: 'Day', role: 'dimension', type: 'date', grain: 'day' };
const named = (rows: [string, unknown][]): ChartData => ({ columns: [name, amount], rows });
const at = (field: string) => ({ field });

interface DrawnMark {
  label: string;
  row: number | undefined;
  attributes: Readonly<Record<string, string>>;
}

function marksIn(svg: string): DrawnMark[] {
  const found: DrawnMark[] = [];
  visit(readSvg(svg).root);
  return found;

  function visit({ attributes: a, children }: SvgNode): void {
    const isMark = a.role === 'graphics-symbol' && a['aria-roledescription'] !== 'axis';
    if (isMark && a['aria-label']) {
      const row = a['data-row'];
      found.push({ label: a['aria-label'], row: row === undefined ? undefined : Number(row), attributes: a });
    }
    for (const child of children) visit(child);
  }
}

const draw = async (look: ChartLook, data: ChartData, size = SIZE) => {
  const svg = await drawChart(look, data, size);
  return { marks: marksIn(svg), texts: placedTexts(svg).map(({ text }) => text) };
};

describe('a funnel', () => {
  const look: ChartLook = { mark: { type: 'funnel' }, encoding: { y: at('Name'), x: at('Amount') } };
  const steps = named([
    ['Visit', 1000],
    ['Basket', 400],
    ['Payment', 100],
  ]);

  it('has a bar for each step with its value, its share of the first step and of the one before', async () => {
    const { marks, texts } = await draw(look, steps);
    expect(marks.map(({ label, row }) => [row, label])).toEqual([
      [0, 'Name: Visit; Amount: 1,000; Of the first: 100%'],
      [1, 'Name: Basket; Amount: 400; Of the first: 40%; Of the one before: 40%'],
      [2, 'Name: Payment; Amount: 100; Of the first: 10%; Of the one before: 25%'],
    ]);
    expect(texts).toEqual(expect.arrayContaining(['Visit', '1,000', '400', '100', '40%', '25%', '10%']));
    const widths = marks.map(({ attributes }) => Number(attributes.width));
    expect(widths[1]! / widths[0]!).toBeCloseTo(0.4, 3);
    expect(widths[2]! / widths[0]!).toBeCloseTo(0.1, 3);
  });

  it('takes the order of its steps from the chart', async () => {
    const sorted = { ...look, encoding: { ...look.encoding, y: { field: 'Name', sort: ['Basket', 'Visit'] } } };
    const { marks } = await draw(sorted, steps);
    expect(marks.map(({ row }) => row)).toEqual([1, 0, 2]);
    expect(marks[1]!.label).toContain('Of the first: 250%');
  });

  it('counts steps without room, and does not call small shares 0', async () => {
    const many = named(Array.from({ length: 60 }, (_, index) => [`Step ${index}`, index === 0 ? 9_000_000 : 1]));
    const { marks, texts } = await draw(look, many);
    const more = texts.find((text) => text.endsWith(' more steps'))!;
    expect(Number.parseInt(more, 10) + marks.length).toBe(60);
    expect(texts).toContain('<0.1%');
  });
});

describe('a waterfall', () => {
  const look: ChartLook = { mark: { type: 'waterfall' }, encoding: { x: at('Name'), y: at('Amount') } };
  const changes = named([
    ['Start', 120.1],
    ['Costs', '-340.2'],
    ['Sales', 260],
  ]);

  it('has a bar for each change, and one for where they lead', async () => {
    const { marks, texts } = await draw(look, changes);
    expect(marks.map(({ label, row }) => [row, label])).toEqual([
      [0, 'Name: Start; Amount: 120.1; Sum: 120.1'],
      [1, 'Name: Costs; Amount: −340.2; Sum: −220.1'],
      [2, 'Name: Sales; Amount: 260; Sum: 39.9'],
      [undefined, 'Name: Total; Amount: 39.9; Sum: 39.9'],
    ]);
    expect(texts).toEqual(expect.arrayContaining(['+120.1', '−340.2', '+260', '39.9', 'Total']));
  });

  it('keeps all digits of large numbers, also of those with decimals', async () => {
    const large = named([
      ['A', '1234567890123'],
      ['B', 4],
      ['C', '12345678901.23'],
    ]);
    const { marks } = await draw(look, large);
    expect(marks.map(({ label }) => label.split('Sum: ')[1])).toEqual([
      '1,234,567,890,123',
      '1,234,567,890,127',
      '1,246,913,569,028.23',
      '1,246,913,569,028.23',
    ]);
  });

  it('calls the last bar as the chart says, or leaves it out', async () => {
    const labels = async (total: string | null) =>
      (await draw({ ...look, mark: { type: 'waterfall', total } }, changes)).marks.map(({ label }) => label);
    expect((await labels('Profit')).at(-1)).toContain('Name: Profit');
    expect(await labels(null)).toHaveLength(3);
  });

  it('needs different names', async () => {
    const { marks, texts } = await draw(
      look,
      named([
        ['A', 1],
        ['A', 2],
      ]),
    );
    expect(marks).toEqual([]);
    expect(texts.join(' ')).toBe('A waterfall needs a name of its own for each row and for the total');
  });
});

describe('a treemap', () => {
  const data: ChartData = {
    columns: [name, group, amount],
    rows: [
      ['a', 'North', 60],
      ['b', 'North', 20],
      ['c', 'South', 20],
      ['d', 'South', 0],
    ],
  };

  it('has areas in proportion to its numbers', async () => {
    const { marks, texts } = await draw(
      { mark: { type: 'treemap' }, encoding: { text: at('Name'), size: at('Amount') } },
      data,
    );
    expect(marks.map(({ row, label }) => [row, label])).toEqual([
      [0, 'Name: a; Amount: 60'],
      [1, 'Name: b; Amount: 20'],
      [2, 'Name: c; Amount: 20'],
    ]);
    // A pixel on each side is between tiles.
    const areas = marks.map(({ attributes: a }) => (Number(a.width) + 2) * (Number(a.height) + 2));
    expect(areas.map((area) => Math.round((100 * area) / (SIZE.width * SIZE.height)))).toEqual([60, 20, 20]);
    expect(texts).toEqual(expect.arrayContaining(['a', '60', 'b', '20', 'c']));
  });

  it('names groups, and has one tile for those that are too small', async () => {
    const look: ChartLook = {
      mark: { type: 'treemap' },
      encoding: { text: at('Name'), size: at('Amount'), color: at('Group') },
    };
    expect((await draw(look, data)).texts).toEqual(expect.arrayContaining(['North', 'South']));
    const many = { ...data, rows: Array.from({ length: 900 }, (_, index) => [`n${index}`, 'North', 2]) };
    const { marks } = await draw(look, many);
    const other = marks.at(-1)!;
    expect(other).toMatchObject({
      row: undefined,
      label: `Other (${901 - marks.length}); Amount: ${new Intl.NumberFormat('en').format(2 * (901 - marks.length))}`,
    });
  });
});

describe('a gauge', () => {
  const values: ChartData = {
    columns: [day, amount],
    rows: [
      ['2026-01-01', 10],
      ['2026-01-02', 42],
    ],
  };

  it('shows the latest number, its target and the ends of its range', async () => {
    const { marks, texts } = await draw(
      { mark: { type: 'gauge', target: 45 }, encoding: { text: at('Amount') } },
      values,
    );
    expect(marks.map(({ label }) => label)).toEqual(['Amount · 2026-01-02: 42; Target: 45']);
    expect(texts).toEqual(expect.arrayContaining(['42', 'Target 45', '0', '50']));
    const range = await draw({ mark: { type: 'gauge', range: [40, 140] }, encoding: { text: at('Amount') } }, values);
    expect(range.texts).toEqual(expect.arrayContaining(['42', '40', '140']));
  });

  it('has the color of the band of its number', async () => {
    const bands = [
      { to: 20, color: '#d64545' },
      { to: 60, color: '#efb118' },
    ];
    const { marks } = await draw({ mark: { type: 'gauge', bands }, encoding: { text: at('Amount') } }, values);
    expect(marks[0]!.attributes.fill).toBe('#efb118');
  });
});

describe('a calendar', () => {
  const look: ChartLook = { mark: { type: 'calendar' }, encoding: { x: at('Day'), color: at('Amount') } };
  const days = (count: number): ChartData => ({
    columns: [day, amount],
    rows: Array.from({ length: count }, (_, index) => [
      new Date(Date.UTC(2024, 1, 20 + index)).toISOString().slice(0, 10),
      index === 3 ? null : index,
    ]),
  });

  it('has a cell for each day, in the color of its number', async () => {
    const { marks, texts } = await draw(look, days(400));
    expect(marks).toHaveLength(400);
    expect(marks[9]!.label).toBe('Day: 2024-02-29; Amount: 9');
    expect(marks.map(({ row }) => row)).toEqual(Array.from({ length: 400 }, (_, index) => index));
    expect(texts).toEqual(expect.arrayContaining(['2024', '2025', 'Mar', '0', '399']));
    const [least, most, empty] = [marks[0]!, marks[399]!, marks[3]!].map(({ attributes }) => attributes.fill);
    expect([least, most, empty]).toEqual(['#e5eaf8', '#4269d0', '#eceff3']);
  });

  it('shows the latest days where there is no room for all, and says so', async () => {
    const { marks, texts } = await draw(look, days(4000));
    expect(marks.at(-1)!.row).toBe(3999);
    expect(marks.length).toBeLessThan(4000);
    expect(texts).toContain('Earlier days are not shown');
  });

  it('needs one row for each day', async () => {
    const { texts } = await draw(look, {
      columns: [day, amount],
      rows: [
        ['2026-01-01', 1],
        ['2026-01-01', 2],
      ],
    });
    expect(texts).toEqual(['A calendar needs one row for each day']);
  });
});

describe('a Sankey diagram', () => {
  const look: ChartLook = {
    mark: { type: 'sankey' },
    encoding: { from: at('Name'), to: at('Group'), size: at('Amount') },
  };
  const flows = (rows: [string, string, unknown][]): ChartData => ({ columns: [name, group, amount], rows });

  it('has flows as thick as their numbers, and nodes with what flows through them', async () => {
    const { marks, texts } = await draw(
      look,
      flows([
        ['a', 'c', 30],
        ['b', 'c', 10],
        ['c', 'd', 40],
      ]),
    );
    expect(marks.slice(0, 3).map(({ row, label }) => [row, label])).toEqual([
      [0, 'Name: a; Group: c; Amount: 30'],
      [1, 'Name: b; Group: c; Amount: 10'],
      [2, 'Name: c; Group: d; Amount: 40'],
    ]);
    expect(marks.slice(3).map(({ label }) => label)).toEqual([
      'a; Amount: 30',
      'c; Amount: 40',
      'b; Amount: 10',
      'd; Amount: 40',
    ]);
    const heights = marks.slice(3).map(({ attributes }) => Number(attributes.height));
    expect(heights[0]! / heights[1]!).toBeCloseTo(0.75, 2);
    expect(heights[2]! / heights[1]!).toBeCloseTo(0.25, 2);
    expect(texts).toEqual(expect.arrayContaining(['a · 30', 'c · 40', 'd · 40']));
  });

  it('has no place for flows that lead back, and counts those it leaves out', async () => {
    const back = await draw(
      look,
      flows([
        ['a', 'b', 1],
        ['b', 'a', 1],
      ]),
    );
    expect([back.marks, back.texts.join(' ')]).toEqual([
      [],
      'Flows that lead back to where they began have no place in this chart',
    ]);
    const many = await draw(
      look,
      flows(Array.from({ length: 300 }, (_, index) => [`s${index}`, `t${index}`, 300 - index])),
    );
    const shown = many.marks.filter(({ row }) => row !== undefined).length;
    expect(many.texts).toContain(`${300 - shown} smaller flows are not shown`);
    const hub = await draw(
      look,
      flows(Array.from({ length: 300 }, (_, index): [string, string, number] => ['hub', `t${index}`, 300 - index])),
    );
    // The number of a name is that of all its flows.
    expect(hub.marks.map(({ label }) => label)).toContain('hub; Amount: 45,150');
  });
});

describe('a map of points', () => {
  const look: ChartLook = {
    mark: { type: 'geopoint' },
    encoding: { longitude: at('Lon'), latitude: at('Lat'), size: at('Amount'), text: at('Name') },
  };
  const data: ChartData = {
    columns: [name, { ...amount, name: 'Lon' }, { ...amount, name: 'Lat' }, amount],
    rows: [
      ['Berlin', 13.4, 52.5, 1],
      ['Wien', 16.4, 48.2, 4],
      ['Nowhere', 200, 0, 9],
      ['Empty', null, null, 9],
    ],
  };

  it('has a point for each row with coordinates, and counts the others', async () => {
    const { marks, texts } = await draw(look, data);
    expect(marks.map(({ row, label }) => [row, label])).toEqual([
      [1, 'Lon: 16.4; Lat: 48.2; Amount: 4; Name: Wien'],
      [0, 'Lon: 13.4; Lat: 52.5; Amount: 1; Name: Berlin'],
    ]);
    const [vienna, berlin] = marks.map(({ attributes: a }) => ({ x: Number(a.cx), y: Number(a.cy), r: Number(a.r) }));
    expect(vienna!.x).toBeGreaterThan(berlin!.x);
    expect(vienna!.y).toBeGreaterThan(berlin!.y);
    expect(vienna!.r / berlin!.r).toBeCloseTo(2, 1);
    expect(texts).toEqual(expect.arrayContaining(['Berlin', 'Wien', '2 rows have no place on the map']));
  });
});

describe('the check of kinds with channels of their own', () => {
  const columns = [name, amount, day];

  it('names missing and foreign channels, and columns of the wrong kind', () => {
    expect(
      lookIssues({ mark: { type: 'sankey' }, encoding: { from: at('Name'), size: at('Name'), x: at('Day') } }, columns),
    ).toEqual([
      { pointer: '/encoding', code: 'REQUIRED', message: 'sankey needs `to`' },
      {
        pointer: '/encoding/x',
        code: 'CONFLICT',
        message: 'has no effect on sankey; known are from, to, size and tooltip',
      },
      { pointer: '/encoding/size/field', code: 'CONFLICT', message: 'must be a column with numbers' },
    ]);
    expect(
      lookIssues({ mark: { type: 'calendar' }, encoding: { x: at('Name'), color: at('Amount') } }, columns),
    ).toEqual([{ pointer: '/encoding/x/field', code: 'CONFLICT', message: 'must be a column with dates' }]);
  });

  it('checks the range and the bands of gauges, and refuses settings of other kinds', () => {
    const encoding = { text: at('Amount') };
    const bands = [5, 5].map((to) => ({ to, color: '#ff0000' }));
    expect(lookIssues({ mark: { type: 'gauge', range: [5, 5], bands }, encoding }, columns)).toEqual([
      { pointer: '/mark/range', code: 'CONFLICT', message: 'must begin below its end' },
      { pointer: '/mark/bands', code: 'CONFLICT', message: 'must be in rising order' },
    ]);
    expect(lookIssues({ mark: { type: 'kpi', total: 'Sum', bands } }, columns)).toEqual([
      { pointer: '/mark/bands', code: 'CONFLICT', message: 'has no effect on kpi; it belongs to gauge' },
      { pointer: '/mark/total', code: 'CONFLICT', message: 'has no effect on kpi; it belongs to waterfall' },
    ]);
  });

  it('has no layers of them', () => {
    for (const type of MARKS.filter((each) => CHART_KINDS[each].takes))
      expect(lookIssues({ mark: { type: 'bar' }, layer: [{ mark: { type }, encoding: {} }] }, columns)).toContainEqual({
        pointer: '/layer/0/mark/type',
        code: 'CONFLICT',
        message: `${type} cannot be a layer; use it as \`mark\``,
      });
  });
});
