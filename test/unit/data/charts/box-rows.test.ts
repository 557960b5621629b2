import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { boxRows, countOfName } from '../../../../shared/data/charts/box-rows.ts';
import type { ChartColumn, ChartData } from '../../../../shared/data/charts/chart-columns.ts';
import type { ChartLook } from '../../../../shared/data/charts/chart-look.ts';
import { drawChart } from '../../../../shared/data/charts/draw.ts';

const kind: ChartColumn = { name: 'Kind', role: 'dimension', type: 'string' };
const minutes: ChartColumn = { name: 'Minutes', role: 'dimension', type: 'integer' };
const count: ChartColumn = { name: countOfName('Minutes'), role: 'measure', type: 'integer' };
const plot = (mark: object = {}): ChartLook => ({
  mark: { type: 'boxplot', ...mark },
  encoding: { x: { field: 'Kind' }, y: { field: 'Minutes' } },
});

const counted = (rows: [string, number, number][]): ChartData => ({ columns: [kind, minutes, count], rows });
/** The same rows as a saved query returns them. */
const single = (rows: [string, number, number][]): ChartData => ({
  columns: [kind, minutes],
  rows: rows.flatMap(([name, value, times]) => Array.from({ length: times }, () => [name, value])),
});

/** As Vega computes it. */
function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (sorted.length - 1) * part;
  const low = sorted[Math.floor(at)]!;
  return low + (sorted[Math.ceil(at)]! - low) * (at - Math.floor(at));
}

describe('a box plot of counted rows', () => {
  const rows: [string, number, number][] = [
    ['Bus', 3, 40],
    ['Bus', 5, 30],
    ['Bus', 9, 20],
    ['Bus', 60, 1],
    ['Tram', 2, 1],
    ['Tram', 4, 5],
    ['Tram', 7, 2],
  ];

  it('is the picture of all rows, not of the distinct values', async () => {
    const draw = (mark: object, data: ChartData) => drawChart(plot(mark), data, { width: 320, height: 240 });
    // Outliers of the same value lie on each other.
    const shapes = (svg: string) => new Set([...svg.matchAll(/<path[^>]* d="([^"]*)"/g)].map(([, path]) => path));
    for (const mark of [{}, { extent: 'min-max' }]) {
      const drawn = shapes(await draw(mark, counted(rows)));
      expect(drawn).toEqual(shapes(await draw(mark, single(rows))));
      expect(drawn).not.toEqual(shapes(await draw(mark, single(rows.map(([name, value]) => [name, value, 1])))));
    }
  });

  it('has the quartiles, the ends and the outliers of all rows, whatever they are', () => {
    const row = fc.tuple(fc.constantFrom('a', 'b'), fc.integer({ min: -50, max: 50 }), fc.integer({ min: 1, max: 30 }));
    const distinct = fc.uniqueArray(row, {
      minLength: 1,
      maxLength: 25,
      selector: ([name, value]) => `${name} ${value}`,
    });
    fc.assert(
      fc.property(distinct, (given) => {
        const drawn = boxRows(plot(), counted(given));
        const all = single(given);
        for (const name of new Set(given.map(([each]) => each))) {
          const valuesOf = ({ rows: some }: ChartData) =>
            some.filter(([each]) => each === name).map(([, value]) => value as number);
          const [few, many] = [valuesOf(drawn), valuesOf(all)];
          const quartiles = [0.25, 0.5, 0.75].map((part) => quantile(many, part));
          expect([0.25, 0.5, 0.75].map((part) => quantile(few, part))).toEqual(quartiles);
          const [low, , high] = quartiles as [number, number, number];
          const isOut = (value: number) => value < low - 1.5 * (high - low) || value > high + 1.5 * (high - low);
          expect(new Set(few.filter(isOut))).toEqual(new Set(many.filter(isOut)));
          const ends = (values: number[]) => {
            const inside = values.filter((value) => !isOut(value));
            return [Math.min(...inside), Math.max(...inside)];
          };
          // The quartiles between two values may lie beyond the ends.
          const real = ends(many);
          expect(few).toEqual(expect.arrayContaining(real));
        }
      }),
    );
  });

  it('names the rows of its outliers, and leaves rows without a number out', () => {
    const drawn = boxRows(plot(), { columns: [kind, minutes, count], rows: [...rows, ['Boat', null, 0]] });
    const places = drawn.rows.flatMap((row, index) =>
      drawn.places![index] === null ? [] : [[row[1], drawn.places![index]]],
    );
    expect(places).toContainEqual([60, 3]);
    expect(drawn.rows.map(([name]) => name)).not.toContain('Boat');
  });

  it('keeps the rows of other charts, and of columns that are not counted', () => {
    const bars: ChartLook = { ...plot(), mark: { type: 'bar' } };
    expect(boxRows(bars, counted(rows))).toEqual(counted(rows));
    expect(boxRows(plot(), single(rows))).toEqual(single(rows));
  });
});
