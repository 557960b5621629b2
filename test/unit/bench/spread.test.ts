import { describe, expect, it } from 'vitest';
import { isMet } from '../../bench/result.ts';
import { percentile, ratios, spread } from '../../bench/spread.ts';

describe('spread', () => {
  it('returns the median, the minimum and the maximum, whatever the order', () => {
    expect(spread([5, 1, 9])).toEqual({ median: 5, min: 1, max: 9 });
  });

  it('refuses to compute figures without measurements', () => {
    expect(() => spread([])).toThrow('nothing was measured');
  });
});

describe('percentile', () => {
  it('answers a value that was measured', () => {
    const values = Array.from({ length: 100 }, (_, index) => index + 1);
    expect([50, 95, 100].map((percent) => percentile(values, percent))).toEqual([50, 95, 100]);
  });
});

describe('ratios', () => {
  it('compares within each round', () => {
    expect(ratios([2, 6, 9], [1, 2, 9])).toEqual({ median: 2, min: 1, max: 3 });
  });
});

describe('isMet', () => {
  const one = { median: 1, min: 1, max: 1 };
  const two = { median: 2, min: 2, max: 2 };

  it('checks by the median of what the goal is for', () => {
    const row = { what: 'run', unit: 's', measured: two, ratio: one } as const;
    expect(isMet({ ...row, goal: { of: 'ratio', atMost: 1.5 } })).toBe(true);
    expect(isMet({ ...row, goal: { of: 'measured', atMost: 1.5 } })).toBe(false);
  });

  it('has no verdict without a goal', () => {
    expect(isMet({ what: 'run', unit: 's', measured: one })).toBeUndefined();
  });
});
