import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { changeBetween, difference, ratioOf, sumOf } from '../../../../shared/domains/semantics/metrics/amounts.ts';

const cents = fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n });
const decimal = (value: bigint) => {
  const digits = (value < 0n ? -value : value).toString().padStart(3, '0');
  return `${value < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
};

describe('amounts', () => {
  it('of decimals are summed exactly, whatever their size', () => {
    fc.assert(
      fc.property(fc.array(cents, { minLength: 1, maxLength: 20 }), (values) => {
        const sum = values.reduce((all, value) => all + value, 0n);
        expect(sumOf(values.map(decimal))).toBe(decimal(sum));
      }),
    );
    expect(sumOf(['0.1', '0.25', 1])).toBe('1.35');
    expect(difference('1.10', '1.10')).toBe('0.00');
  });

  it('of whole numbers stay numbers as long as these are exact', () => {
    expect(sumOf([1, 2, null])).toBe(3);
    expect(sumOf([])).toBe(0);
    expect(sumOf([Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER])).toBe('18014398509481982');
    expect(difference('9007199254740993', 1)).toBe('9007199254740992');
  });

  it('of other numbers are numbers', () => {
    expect(sumOf([0.5, '0.25'])).toBe(0.75);
    expect(difference(1.5, 2)).toBe(-0.5);
    expect(difference(1, 0)).toBe(1);
  });

  it('have a ratio only to something', () => {
    expect(ratioOf('5.00', '20.00')).toBe(0.25);
    expect([ratioOf(1, 0), ratioOf(1, '0.00'), ratioOf(null, 1), ratioOf(1, null)]).toEqual([null, null, null, null]);
  });

  it('change in percent of the size of the earlier one', () => {
    expect(changeBetween('80.00', '100.00')).toEqual({ change: '20.00', changePct: 25 });
    expect(changeBetween(-10, -5)).toEqual({ change: 5, changePct: 50 });
    expect(changeBetween(0, 5)).toEqual({ change: 5, changePct: null });
    expect(changeBetween(null, 5)).toEqual({ change: null, changePct: null });
    expect(changeBetween(5, null)).toEqual({ change: null, changePct: null });
  });
});
