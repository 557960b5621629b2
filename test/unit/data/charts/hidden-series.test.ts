import { describe, expect, it } from 'vitest';
import type { ChartLook } from '../../../../shared/data/charts/chart-look.ts';
import { drawChart } from '../../../../shared/data/charts/draw.ts';

const REGIONS = ['South', 'North', null, 'East'];
const rowsOf = (names: readonly (string | null)[]) =>
  [1, 2, 3].flatMap((month) => names.map((name, index) => [`2026-0${month}-01`, name, month * 10 + index * 7, index]));
const columns = [
  { name: 'Month', role: 'dimension' as const, type: 'date', grain: 'month' as const },
  { name: 'Region', role: 'dimension' as const, type: 'string' },
  { name: 'Revenue', role: 'measure' as const, type: 'number' },
  { name: 'Orders', role: 'measure' as const, type: 'number' },
];
const [x, y, color] = [{ field: 'Month' }, { field: 'Revenue' }, { field: 'Region' }];

const LOOKS: Record<string, ChartLook> = {
  lines: { mark: { type: 'line' }, encoding: { x, y, color } },
  'sorted bars': { mark: { type: 'bar' }, encoding: { x, y, color: { ...color, sort: 'ascending' } } },
  donut: { mark: { type: 'arc', innerRadius: 0.5 }, encoding: { theta: y, color } },
  'bars by month': { mark: { type: 'bar' }, encoding: { x: color, y, color: x } },
  layers: {
    mark: { type: 'bar' },
    layer: [
      { mark: { type: 'bar' }, encoding: { x, y } },
      { mark: { type: 'line' }, encoding: { x, y: { field: 'Orders' } } },
    ],
  },
};

const NAME = /role-legend-symbol.*?fill="([^"]*)".*?role-legend-label.*?<text[^>]*>([^<]*)</g;
/** Each name of the legend with its color, and how many marks there are. */
async function drawn(look: ChartLook, hiddenSeries?: number[], names: readonly (string | null)[] = REGIONS) {
  const rows = look.layer ? rowsOf(['All']) : rowsOf(names);
  const svg = await drawChart(look, { columns, rows }, { width: 640, height: 300, hiddenSeries });
  return {
    legend: [...svg.matchAll(NAME)].map(([, fill, name]) => `${name} ${fill}`),
    marks: svg.match(/data-row="/g)?.length ?? 0,
    canHide: svg.includes('data-series=""'),
  };
}

describe('series that are hidden', () => {
  it.each(Object.entries(LOOKS))('%s: the others stay, in their colors, and the legend names all', async (_, look) => {
    const whole = await drawn(look);
    expect(whole.canHide).toBe(true);
    expect(whole.legend.length).toBeGreaterThan(1);
    for (const at of whole.legend.keys()) {
      const part = await drawn(look, [at]);
      expect(part.legend).toEqual(whole.legend);
      expect(part.marks).toBeLessThan(whole.marks);
    }
  });

  it('are those that share a color too, and places that the legend does not have mean nothing', async () => {
    const many = Array.from({ length: 15 }, (_, index) => `Name ${index}`);
    const whole = await drawn(LOOKS.lines!, [], many);
    expect(whole.legend.at(-1)).toContain('Other (4)');
    const part = await drawn(LOOKS.lines!, [11], many);
    expect([part.legend, part.marks]).toEqual([whole.legend, whole.marks - 4 * 3]);
    expect(await drawn(LOOKS.lines!, [12, 99], many)).toEqual(whole);
  });

  it('are only those of legends with names', async () => {
    const scale: ChartLook = { mark: { type: 'point' }, encoding: { x: y, y: { field: 'Orders' }, color: y } };
    const whole = await drawn(scale);
    expect(whole.canHide).toBe(false);
    expect(await drawn(scale, [0])).toEqual(whole);
  });
});
