import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkPoints, checkValue, MIN_BASELINE } from '../../../../shared/data/statistics/robust-baseline.ts';

const THRESHOLD = 3.5;
const steady = [100, 102, 98, 101, 99, 103, 97, 100];
const none = { season: 'none', threshold: THRESHOLD } as const;
const unusual = (values: readonly (number | null)[], options: Parameters<typeof checkPoints>[1] = none) =>
  checkPoints(values, options).flatMap((check, index) => (check && Math.abs(check.score) > THRESHOLD ? [index] : []));

describe('the check of a value', () => {
  it('needs seven earlier ones', () => {
    expect(checkValue(steady.slice(0, MIN_BASELINE - 1), 500, THRESHOLD)).toBeUndefined();
    expect(checkValue(steady.slice(0, MIN_BASELINE), 500, THRESHOLD)).toBeDefined();
  });

  it('measures the distance from the median in robust standard deviations', () => {
    const check = checkValue([1, 2, 3, 4, 5, 6, 7, 8, 9], 15, THRESHOLD)!;
    expect(check.expected).toBe(5);
    expect(check.score).toBeCloseTo((10 * 0.6745) / 2, 10);
    expect(check.expectedHigh - 5).toBeCloseTo(5 - check.expectedLow, 10);
  });

  it('is not moved by a minority of outliers', () => {
    const clean = checkValue(steady, 130, THRESHOLD)!;
    const polluted = checkValue([...steady, 10_000, 20_000], 130, THRESHOLD)!;
    expect(polluted.score).toBeGreaterThan(THRESHOLD);
    expect(Math.abs(polluted.expected - clean.expected)).toBeLessThan(2);
  });

  it('of a constant baseline allows small changes, and has a finite score', () => {
    expect(checkValue(Array(10).fill(100), 102, THRESHOLD)!.score).toBeCloseTo(2, 10);
    expect(checkValue(Array(10).fill(0), 1, THRESHOLD)!.score).toBe(100);
    expect(checkValue(Array(10).fill(0), 0, THRESHOLD)!.score).toBe(0);
  });

  it('does not depend on the unit, and is the same on both sides', () => {
    const values = fc.array(fc.integer({ min: 1, max: 1000 }), { minLength: 7, maxLength: 80 });
    fc.assert(
      fc.property(values, fc.integer({ min: 0, max: 2000 }), (baseline, value) => {
        const { score } = checkValue(baseline, value, THRESHOLD)!;
        const scaled = checkValue(
          baseline.map((each) => each * 8),
          value * 8,
          THRESHOLD,
        )!;
        const mirrored = checkValue(
          baseline.map((each) => -each),
          -value,
          THRESHOLD,
        )!;
        expect(scaled.score).toBeCloseTo(score, 9);
        expect(mirrored.score).toBeCloseTo(-score, 9);
      }),
    );
  });
});

describe('the check of points', () => {
  it('finds a peak and a drop, and does not learn from them', () => {
    expect(unusual([...steady, 200, ...steady, 20, 200])).toEqual([8, 17, 18]);
  });

  it('leaves the tested point out of its own baseline', () => {
    expect(unusual([...steady.slice(0, 7), 10_000])).toEqual([7]);
  });

  it('takes a lasting change as the new normal', () => {
    const shifted = steady.map((value) => value + 100);
    const values = [...steady, ...shifted, ...shifted, 100];
    expect(unusual(values)).toEqual([8, 9, 10, 11, 12, 13, 14, values.length - 1]);
  });

  it('compares days with the same day of the week', () => {
    const week = (peak: number) => [100, 101, 99, 100, 102, peak, 0];
    const weeks = Array.from({ length: 10 }, (_, n) => week(500 + n));
    const options = { season: 'day_of_week', threshold: THRESHOLD } as const;
    expect(unusual([...weeks, week(505)].flat(), options)).toEqual([]);
    expect(unusual([...weeks, week(100)].flat(), options)).toEqual([75]);
    expect(unusual([...weeks, week(505)].flat()).length).toBeGreaterThan(0);
  });

  it('leaves out periods without a value', () => {
    expect(checkPoints([...steady, null, 100], none).slice(-2)).toEqual([undefined, expect.any(Object)]);
    expect(unusual([...steady, null, 300])).toEqual([9]);
  });
});
