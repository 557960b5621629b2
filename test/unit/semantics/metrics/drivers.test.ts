import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Amount, sumOf } from '../../../../shared/domains/semantics/metrics/amounts.ts';
import { driversOf } from '../../../../shared/domains/semantics/metrics/metric-drivers.ts';

const side = (groups: Record<string, Amount>, total?: Amount, truncated = false) => ({
  groups: new Map(Object.entries(groups).map(([key, value]) => [key, { dimension: key, value }])),
  total: total ?? sumOf(Object.values(groups)),
  truncated,
});

describe('drivers', () => {
  it('add up to the change of the total, with the rest', () => {
    const groups = fc.dictionary(fc.constantFrom(...'abcdefgh'), fc.integer({ min: -1000, max: 1000 }));
    fc.assert(
      fc.property(groups, groups, fc.integer({ min: 1, max: 9 }), (now, then, limit) => {
        const { items, rest, total, restCount, additive } = driversOf(side(now), side(then), {
          isAdditive: true,
          limit,
        });
        expect(additive).toBe('full');
        const parts = [...items, ...(rest ? [rest] : [])];
        expect(sumOf(parts.map(({ contribution }) => contribution))).toBe(total.change);
        expect(items.length + restCount).toBe(new Set([...Object.keys(now), ...Object.keys(then)]).size);
        const sizes = items.map(({ change }) => Math.abs(Number(change)));
        expect(sizes).toEqual([...sizes].sort((a, b) => b - a));
      }),
    );
  });

  it('show a group that is new or gone as nothing in the other period', () => {
    const { items, total } = driversOf(side({ a: '5.00', b: '1.50' }), side({ a: '5.00', c: '2.00' }), {
      isAdditive: true,
      limit: 10,
    });
    expect(items).toMatchObject([
      { value: 'c', current: 0, previous: '2.00', contribution: '-2.00' },
      { value: 'b', current: '1.50', previous: 0, contribution: '1.50' },
      { value: 'a', contribution: '0.00', contributionPct: 0 },
    ]);
    expect(total).toMatchObject({ current: '6.50', previous: '7.00', change: '-0.50' });
    expect(items.reduce((sum, item) => sum + item.contributionPct!, 0)).toBeCloseTo(total.changePct!, 10);
  });

  it('of metrics that do not add up have changes, but no contributions and no rest', () => {
    const drivers = driversOf(side({ a: 2, b: 4 }, 3), side({ a: 1, c: 5 }, 2), { isAdditive: false, limit: 1 });
    expect(drivers).toMatchObject({
      additive: 'none',
      total: { current: 3, previous: 2, change: 1 },
      items: [{ value: 'a', current: 2, previous: 1, change: 1, contribution: null, contributionPct: null }],
      rest: null,
      restCount: 2,
    });
  });

  it('of groups that overlap are not additive', () => {
    const drivers = driversOf(side({ a: 2, b: 4 }, 5), side({ a: 1 }, 1), { isAdditive: true, limit: 10 });
    expect(drivers.additive).toBe('none');
    expect(drivers.items.every(({ contribution }) => contribution === null)).toBe(true);
  });

  it('leave what was cut off to the rest', () => {
    const drivers = driversOf(side({ a: 2, b: 4 }, 100, true), side({ a: 1, b: 0 }, 50, true), {
      isAdditive: true,
      limit: 1,
    });
    expect(drivers).toMatchObject({ additive: 'full', items: [{ value: 'b', contribution: 4 }], truncated: true });
    expect(drivers.rest).toMatchObject({ contribution: 46 });
  });

  it('do not take a value for nothing that a cut answer lacks', () => {
    const drivers = driversOf(side({ a: 5, c: 900 }, 1000, true), side({ a: 4, b: 800 }, 1000, true), {
      isAdditive: true,
      limit: 10,
    });
    expect(drivers.items.map(({ value, change }) => [value, change])).toEqual([['a', 1]]);
    expect([drivers.restCount, drivers.rest?.change]).toEqual([2, -1]);
  });
});
