import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { linearTrend } from '../../../../shared/data/statistics/linear-trend.ts';
import { cases } from '../../../support/cases.ts';

/** The quantiles of 0.9 of Student's t in tables, by degrees of freedom. */
const TABLE: readonly (readonly [number, number])[] = [
  [6, 1.4398],
  [8, 1.3968],
  [10, 1.3722],
  [20, 1.3253],
  [30, 1.3104],
  [120, 1.2886],
];

/** Points around y = 3 + 2x whose residuals, 1 and -1 in turn, have no slope of their own. */
const around = (count: number) =>
  Array.from({ length: count }, (_, x) => ({ x, y: 3 + 2 * x + [1, -1, -1, 1][x % 4]! }));

describe('the line of least squares', () => {
  it('is the line of points on one', () => {
    const trend = linearTrend([0, 1, 5].map((x) => ({ x, y: 4 - 0.5 * x })))!;
    expect([trend.slope, trend.at(9)]).toEqual([-0.5, -0.5]);
  });

  it.each(TABLE)('has the prediction interval of the textbook with %d degrees of freedom', (free, quantile) => {
    const points = around(free + 2);
    const [count, x] = [points.length, points.length + 3];
    const trend = linearTrend(points)!;
    const meanX = (count - 1) / 2;
    const spread = points.reduce((sum, each) => sum + (each.x - meanX) ** 2, 0);
    const residuals = points.reduce((sum, each) => sum + (each.y - trend.at(each.x)) ** 2, 0);
    const half = quantile * Math.sqrt(residuals / free) * Math.sqrt(1 + 1 / count + (x - meanX) ** 2 / spread);
    const { low, high } = trend.bandAt(x)!;
    expect(high - trend.at(x)).toBeCloseTo(half, 2);
    expect(trend.at(x) - low).toBeCloseTo(half, 2);
  });

  it('needs three points, and eight for a band', () => {
    expect(linearTrend(around(2))).toBeUndefined();
    expect(linearTrend([1, 2, 3].map((y) => ({ x: 5, y })))).toBeUndefined();
    expect(linearTrend(around(7))!.bandAt(8)).toBeUndefined();
    expect(linearTrend(around(8))!.bandAt(8)).toBeDefined();
  });

  it('has the least squares of all lines', () => {
    const number = fc.integer({ min: -1000, max: 1000 });
    const points = fc.uniqueArray(fc.record({ x: number, y: number }), {
      selector: ({ x }) => x,
      minLength: 3,
      maxLength: 30,
    });
    fc.assert(
      fc.property(
        points,
        fc.double({ min: -5, max: 5, noNaN: true }),
        fc.double({ min: -5, max: 5, noNaN: true }),
        (all, up, turn) => {
          const trend = linearTrend(all)!;
          const squares = (at: (x: number) => number) => all.reduce((sum, { x, y }) => sum + (y - at(x)) ** 2, 0);
          expect(squares(trend.at)).toBeLessThanOrEqual(
            squares((x) => trend.at(x) + up + turn * x) * (1 + 1e-9) + 1e-6,
          );
        },
      ),
      { numRuns: cases(100, 1000) },
    );
  });
});
