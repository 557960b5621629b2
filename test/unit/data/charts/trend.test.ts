import { describe, expect, it } from 'vitest';
import type { ChartLook } from '../../../../shared/data/charts/chart-look.ts';
import { drawChart } from '../../../../shared/data/charts/draw.ts';
import { lookIssues } from '../../../../shared/data/charts/look-issues.ts';

const columns = [
  { name: 'Month', role: 'dimension' as const, type: 'date', grain: 'month' as const },
  { name: 'Region', role: 'dimension' as const, type: 'string' },
  { name: 'Revenue', role: 'measure' as const, type: 'number' },
];
const REGIONS = ['North', 'South', 'East'];
/** Revenue that rises by 10 with each month, and 5 above and below. */
const rowsOf = (months: number, regions = ['North']) =>
  Array.from({ length: months }, (_, month) =>
    regions.map((region, index) => [
      new Date(Date.UTC(2025, month, 1)).toISOString().slice(0, 10),
      region,
      100 * index + 10 * month + (month % 2 === 0 ? 5 : -5),
    ]),
  ).flat();
const [x, y, color] = [{ field: 'Month' }, { field: 'Revenue' }, { field: 'Region' }];
const line = (config: ChartLook['config'], more: object = {}): ChartLook => ({
  mark: { type: 'line' },
  encoding: { x, y, ...more },
  config,
});
const SIZE = { width: 640, height: 320 };

async function labelsOf(look: ChartLook, rows: unknown[][]) {
  const svg = await drawChart(look, { columns, rows }, SIZE);
  const labels = [...svg.matchAll(/aria-label="(Month: [^"]*(?:Trend|Forecast)[^"]*)"/g)].map(([, label]) => label!);
  return { svg, labels, forecasts: labels.filter((label) => label.includes('Forecast')) };
}

describe('the trend of a chart', () => {
  it('goes through its points, and with a band beyond them', async () => {
    const { svg, labels, forecasts } = await labelsOf(line({ trend: { periods: 3 } }), rowsOf(12));
    expect(labels).toHaveLength(15);
    expect(forecasts.map((label) => label.split('; ')[0])).toEqual([
      'Month: Jan 2026',
      'Month: Feb 2026',
      'Month: Mar 2026',
    ]);
    expect(forecasts[0]).toMatch(/^Month: Jan 2026; Forecast: 11\d(\.\d+)?; 80 % between: [\d.]+ and [\d.]+$/);
    // The months of the forecast are on the axis.
    expect(svg).toMatch(/>2026</);
    // Marks of rows stay those of the rows.
    expect(svg.match(/data-row="/g)).toHaveLength(12);
    expect((await labelsOf(line({ trend: {} }), rowsOf(12))).labels).toHaveLength(12);
  });

  it('has a forecast of at most half as many periods as are known, and none of fewer than eight', async () => {
    expect((await labelsOf(line({ trend: { periods: 60 } }), rowsOf(9))).forecasts).toHaveLength(4);
    const few = await labelsOf(line({ trend: { periods: 6 } }), rowsOf(7));
    expect([few.labels.length, few.forecasts.length]).toEqual([7, 0]);
    expect((await labelsOf(line({ trend: { periods: 6 } }), rowsOf(2))).labels).toEqual([]);
  });

  it('is one for each series, in its color, and hidden with it', async () => {
    const look = line({ trend: { periods: 2 } }, { color });
    const { svg, labels } = await labelsOf(look, rowsOf(10, REGIONS));
    expect(labels).toHaveLength(3 * 12);
    const dashed = [...svg.matchAll(/stroke="(#\w+)"[^>]*stroke-dasharray="6,4"/g)].map(([, stroke]) => stroke);
    expect(new Set(dashed)).toEqual(new Set(['#4269d0', '#efb118', '#e8604c']));
    const hidden = await drawChart(look, { columns, rows: rowsOf(10, REGIONS) }, { ...SIZE, hiddenSeries: [1] });
    expect(hidden.match(/Forecast: /g)).toHaveLength(2 * 2);
  });

  it('needs an axis with distances, and periods for a forecast', () => {
    const issues = (look: ChartLook) => lookIssues(look, columns).map(({ pointer, code }) => `${pointer} ${code}`);
    expect(issues(line({ trend: { periods: 3 } }))).toEqual([]);
    expect(issues({ ...line({ trend: {} }), mark: { type: 'bar' } })).toEqual(['/config/trend CONFLICT']);
    expect(issues({ mark: { type: 'line' }, encoding: { x: color, y }, config: { trend: {} } })).toEqual([
      '/config/trend CONFLICT',
    ]);
    const byNumber = { mark: { type: 'point' as const }, encoding: { x: y, y }, config: { trend: { periods: 2 } } };
    expect(issues(byNumber)).toEqual(['/config/trend/periods CONFLICT']);
  });
});

describe('names at the ends of lines', () => {
  const look = line({ legend: 'direct' }, { color });
  const close = (names: readonly string[]) =>
    names
      .map((name, index) => ['2025-01-01', name, 100 + index])
      .concat(names.map((name) => ['2025-02-01', name, 100]));
  /** The names with their heights. */
  const namesIn = (svg: string, names: readonly string[]) =>
    names.map((name) => Number(new RegExp(`translate\\([\\d.]+,([\\d.]+)\\)[^>]*>${name}</text>`).exec(svg)?.[1]));

  it('take the place of the legend, apart from each other and within the picture', async () => {
    const names = [...REGIONS, 'West', 'Centre'];
    const svg = await drawChart(look, { columns, rows: close(names) }, SIZE);
    expect(svg).not.toContain('role-legend');
    const heights = namesIn(svg, names).sort((one, other) => one - other);
    for (const [index, height] of heights.entries())
      if (index > 0) expect(height - heights[index - 1]!).toBeGreaterThanOrEqual(13);
    expect(heights.at(-1)).toBeLessThan(SIZE.height);
  });

  it('give way to a legend where they have no room', async () => {
    const many = Array.from({ length: 10 }, (_, index) => `Name ${index}`);
    const svg = await drawChart(look, { columns, rows: close(many) }, { width: 300, height: 120 });
    expect(svg).toContain('role-legend');
    const forecast = line({ legend: 'direct', trend: { periods: 2 } }, { color });
    expect(await drawChart(forecast, { columns, rows: rowsOf(10, REGIONS) }, SIZE)).toContain('role-legend');
    const bars = { ...look, mark: { type: 'bar' as const } };
    expect(await drawChart(bars, { columns, rows: rowsOf(3, REGIONS) }, SIZE)).toContain('role-legend');
  });

  it('are only those of series that are drawn', async () => {
    const svg = await drawChart(look, { columns, rows: rowsOf(3, REGIONS) }, { ...SIZE, hiddenSeries: [1] });
    expect([svg.includes('>North<'), svg.includes('>South<')]).toEqual([true, false]);
  });
});
