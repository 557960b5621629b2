import { describe, expect, it } from 'vitest';
import type { ChartColumn, ChartData } from '../../../../shared/data/charts/chart-columns.ts';
import type { ChartLook } from '../../../../shared/data/charts/chart-look.ts';
import { drawChart } from '../../../../shared/data/charts/draw.ts';
import { placedTexts } from '../../../support/svg-texts.ts';

const SIZE = { width: 400, height: 240 };
const name: ChartColumn = { name: 'Name', role: 'dimension', type: 'string' };
const month: ChartColumn = { name: 'Month', role: 'dimension', type: 'date', grain: 'month' };
const amount: ChartColumn = { name: 'Amount', role: 'measure', type: 'decimal' };
const named = (names: readonly string[], value = (index: number): number | null => index + 1): ChartData => ({
  columns: [name, amount],
  rows: names.map((each, index) => [each, value(index)]),
});
const names = (count: number) => Array.from({ length: count }, (_, index) => `Category ${index + 1}`);
const bar: ChartLook = { mark: { type: 'bar' }, encoding: { x: { field: 'Name' }, y: { field: 'Amount' } } };
const pie: ChartLook = { mark: { type: 'arc' }, encoding: { theta: { field: 'Amount' }, color: { field: 'Name' } } };
const line: ChartLook = { mark: { type: 'line' }, encoding: { x: { field: 'Month' }, y: { field: 'Amount' } } };
const textsOf = (svg: string) => placedTexts(svg).map(({ text }) => text);

describe('the names of an axis', () => {
  it('are all there below 13 bars, slanted', async () => {
    const svg = await drawChart(bar, named(names(13)), SIZE);
    expect(textsOf(svg)).toEqual(expect.arrayContaining(names(13)));
    expect(svg).toMatch(/rotate\(315\)/);
  });

  it('have several lines where words fit', async () => {
    const words = [
      'Large customers of old',
      'Small customers of old',
      'Medium customers of old',
      'No customers at all',
    ];
    const texts = textsOf(await drawChart(bar, named(words), SIZE));
    expect(texts).toEqual(expect.arrayContaining(['Large', 'customers of', 'old']));
  });

  it('stand beside lying bars where they are too long to stand below', async () => {
    const long = ['International Business Machines', 'Rindfleischetikettierungsüberwachungsaufgabe', 'A'];
    const svg = await drawChart(bar, named(long), SIZE);
    expect(svg).toMatch(/Y-axis titled 'Name'/);
    const given: ChartLook = { ...bar, encoding: { ...bar.encoding, x: { field: 'Name', axis: { labelAngle: 0 } } } };
    expect(await drawChart(given, named(long), SIZE)).toMatch(/X-axis titled 'Name'/);
  });

  it('keep their places without a value', async () => {
    const texts = textsOf(
      await drawChart(
        bar,
        named(['North', 'South', 'East'], (at) => [1, null, 3][at]!),
        SIZE,
      ),
    );
    expect(texts.filter((text) => ['North', 'South', 'East'].includes(text))).toEqual(['North', 'South', 'East']);
  });
});

describe('the numbers of an axis', () => {
  it('are short without losing a digit', async () => {
    const texts = textsOf(
      await drawChart(
        bar,
        named(names(4), (at) => 6_250_000 * (at + 1)),
        SIZE,
      ),
    );
    expect(texts).toEqual(expect.arrayContaining(['0', '5M', '25M']));
  });
});

describe('the dates of an axis', () => {
  const months = (count: number): ChartData => ({
    columns: [month, amount],
    rows: Array.from({ length: count }, (_, at) => [
      new Date(Date.UTC(2025, at, 1)).toISOString().slice(0, 10),
      at + 1,
    ]),
  });

  it('are named by the length of the time', async () => {
    const dates = async (count: number) =>
      textsOf(await drawChart(line, months(count), SIZE)).filter((text) => !/^\d{1,3}$|Month|Amount/.test(text));
    expect(await dates(4)).toEqual(['Jan', '2025', 'Feb', 'Mar', 'Apr']);
    expect(await dates(18)).toEqual(expect.arrayContaining(['Jan', '2025', 'Jul', '2026']));
    expect(await dates(120)).toEqual(expect.arrayContaining(['2026', '2028']));
  });

  it('leave a gap where a period has no row', async () => {
    const pieces = async (data: ChartData) =>
      /mark-line[^>]*>.*?<path [^>]*d="([^"]*)"/.exec(await drawChart(line, data, SIZE))![1]!.match(/M/g)!.length;
    const all = months(6);
    expect(await pieces(all)).toBe(1);
    expect(await pieces({ ...all, rows: all.rows.filter((_, at) => at !== 3) })).toBe(2);
    const bars = await drawChart({ ...line, mark: { type: 'bar' } }, { ...all, rows: all.rows.toSpliced(3, 1) }, SIZE);
    expect(bars.match(/data-row="\d"/g)).toEqual([0, 1, 2, 3, 4].map((row) => `data-row="${row}"`));
    expect(textsOf(bars)).toContain('Apr');
  });
});

describe('the colors of series', () => {
  it('are at most twelve, of which the last one is that of all small ones', async () => {
    const svg = await drawChart(pie, named(names(40)), SIZE);
    expect(textsOf(svg)).toContain('Other (29)');
    expect(new Set([...svg.matchAll(/<path aria-label="Amount[^>]*fill="(#\w+)"/g)].map(([, fill]) => fill)).size).toBe(
      12,
    );
    expect(svg.match(/data-row=/g)).toHaveLength(40);
  });

  it('are those of the chart where it names them', async () => {
    const range = ['#111111', '#222222'];
    const chosen: ChartLook = { ...pie, encoding: { ...pie.encoding, color: { field: 'Name', scale: { range } } } };
    expect(await drawChart(chosen, named(names(14)), SIZE)).not.toContain('Other');
  });
});

describe('a pie chart', () => {
  it('has a hole of a share of its own radius, whatever its legend takes', async () => {
    const donut: ChartLook = { ...pie, mark: { type: 'arc', innerRadius: 0.6 } };
    const svg = await drawChart(donut, named(names(6)), SIZE);
    const [outer, inner] = [...new Set([...svg.matchAll(/A([\d.]+),/g)].map(([, radius]) => Number(radius)))].sort(
      (a, b) => b - a,
    ) as [number, number];
    expect(inner / outer).toBeCloseTo(0.6, 2);
  });

  it('shows a slice of nearly everything, and no shares of negative values', async () => {
    expect(
      await drawChart(
        pie,
        named(['All', 'None'], (at) => [1e9, 1][at]!),
        SIZE,
      ),
    ).toContain('data-row="0"');
    expect(
      textsOf(
        await drawChart(
          pie,
          named(['Up', 'Down'], (at) => [1, -1][at]!),
          SIZE,
        ),
      ).join(' '),
    ).toContain('Negative');
    expect(
      textsOf(
        await drawChart(
          pie,
          named(['a', 'b'], () => 0),
          SIZE,
        ),
      ),
    ).toEqual(['All values are 0']);
  });
});
