import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nameText, showValue } from '../../../../shared/data/charts/show-value.ts';
import type { DeclaredFormat } from '../../../../shared/data/value-formats/declared-format.ts';
import { decimalOf } from '../../../../shared/platform/text/decimal.ts';

interface Shown {
  format?: DeclaredFormat | null;
  showAs?: string;
}
const column = (type: string, shown: Shown = {}) => ({ name: 'Value', role: 'measure', type, ...shown }) as const;

/** The number that a reader types after looking at the text. */
const readBack = (text: string): string => text.replaceAll('−', '-').replaceAll(/[^\d.e+-]/g, '');

/** Exactly `a - b`, as a whole number of `10^-scale`. */
function distance(a: string, b: string): { size: bigint; scale: number } {
  const [left, right] = [decimalOf(a)!, decimalOf(b)!];
  const scale = Math.max(left.scale, right.scale);
  const whole = ({ isNegative, digits, scale: own }: typeof left) =>
    BigInt(digits + '0'.repeat(scale - own)) * (isNegative ? -1n : 1n);
  const difference = whole(left) - whole(right);
  return { size: difference < 0n ? -difference : difference, scale };
}

/** Whether the numbers differ by at most half a unit of the last of so many decimals. */
function isWithin(a: string, b: string, decimals: number): boolean {
  const { size, scale } = distance(a, b);
  return scale <= decimals ? size === 0n : 2n * size <= 10n ** BigInt(scale - decimals);
}

const digits = fc.stringMatching(/^-?(0|[1-9]\d{0,37})$/);
const decimals = fc.tuple(digits, fc.stringMatching(/^\d{1,20}$/)).map(([whole, fraction]) => `${whole}.${fraction}`);
const doubles = fc.double({ noNaN: true, noDefaultInfinity: true });

describe('a number without a format', () => {
  it('is read back as it is stored, if it is an integer or an exact decimal', () => {
    fc.assert(
      fc.property(fc.oneof(digits, decimals), (stored) => {
        const type = stored.includes('.') ? 'decimal' : 'integer';
        expect(distance(readBack(showValue(column(type), stored)), stored).size).toBe(0n);
        expect(distance(readBack(nameText(column(type), stored)), stored).size).toBe(0n);
      }),
    );
  });

  it('is read back to twelve significant digits, if it is a double, and to all digits before the point', () => {
    fc.assert(
      fc.property(fc.oneof(doubles, fc.maxSafeInteger()), (stored) => {
        const read = Number(readBack(showValue(column('number'), stored)));
        if (Number.isInteger(stored) && Math.abs(stored) < 1e21) expect(read).toBe(stored === 0 ? 0 : stored);
        else expect(Math.abs(read - stored)).toBeLessThanOrEqual(Math.abs(stored) * 5.000001e-12);
      }),
    );
  });
});

describe('a number in its format', () => {
  const places = fc.integer({ min: 0, max: 15 });
  const formats: Record<string, (decimals: number) => Shown> = {
    'that of a measure': (count) => ({ format: { kind: 'number', decimals: count } }),
    'a currency': (count) => ({ format: { kind: 'currency', currency: 'EUR', decimals: count } }),
    'the pattern of a field': (count) => ({ format: `#,##0${count > 0 ? `.${'0'.repeat(count)}` : ''}` }),
    'that of the chart': (count) => ({ showAs: `,.${count}f` }),
  };
  for (const [name, shown] of Object.entries(formats)) {
    it(`is read back up to its decimals: ${name}`, () => {
      fc.assert(
        fc.property(fc.oneof(digits, decimals), places, (stored, count) => {
          const text = showValue(column('decimal', shown(count)), stored);
          expect(text).toMatch(count > 0 ? new RegExp(`\\.\\d{${count}}$`) : /\d$/);
          expect(isWithin(readBack(text), stored, count)).toBe(true);
        }),
      );
    });
  }

  it('is a hundred times itself, if it is a percentage', () => {
    fc.assert(
      fc.property(decimals, places, fc.boolean(), (stored, count, isDeclared) => {
        const shown: Shown = isDeclared ? { format: { kind: 'percent', decimals: count } } : { showAs: `.${count}%` };
        const read = decimalOf(readBack(showValue(column('decimal', shown), stored)))!;
        const sign = read.isNegative ? '-' : '';
        const share = `${sign}${read.digits}e-${read.scale + 2}`;
        expect(isWithin(share, stored, count + 2)).toBe(true);
      }),
    );
  });
});

describe('values', () => {
  const EUR = { kind: 'currency', currency: 'EUR' } as const;
  it.each<[unknown, string, Shown, string]>([
    [12345678, 'integer', {}, '12,345,678'],
    [1234567, 'integer', {}, '1,234,567'],
    ['12345678.91', 'decimal', {}, '12,345,678.91'],
    [12345678.91, 'number', {}, '12,345,678.91'],
    ['9007199254740993', 'integer', {}, '9,007,199,254,740,993'],
    ['-0.10', 'decimal', {}, '−0.1'],
    [0.1 + 0.2, 'number', {}, '0.3'],
    ['0.33333333333333333333', 'number', {}, '0.333333333333'],
    [-0, 'number', {}, '0'],
    [1e21, 'number', {}, '1e+21'],
    [-1.5e-10, 'number', {}, '−1.5e−10'],
    [null, 'number', {}, ''],
    ['NaN', 'number', {}, 'NaN'],
    ['-Infinity', 'number', {}, '-Infinity'],
    ['1250.5', 'decimal', { format: EUR }, '€1,250.50'],
    ['1250.00', 'decimal', { format: EUR }, '€1,250'],
    ['-12345678901234567.895', 'decimal', { format: { ...EUR, decimals: 2 } }, '−€12,345,678,901,234,567.90'],
    ['5', 'decimal', { format: { kind: 'currency', currency: 'CHF', decimals: 1 } }, 'CHF\u00a05.0'],
    ['1250.5', 'decimal', { format: { kind: 'currency', currency: 'JPY' } }, '¥1,251'],
    [0.12345, 'number', { format: { kind: 'percent' } }, '12.35%'],
    [0.1, 'number', { format: { kind: 'percent', decimals: 1 } }, '10.0%'],
    [999_999, 'integer', { format: { kind: 'number', abbreviate: true } }, '1M'],
    [-1_234_567, 'integer', { format: { ...EUR, abbreviate: true, decimals: 1 } }, '−€1.2M'],
    [42, 'integer', { format: { kind: 'number', pattern: '00000' } }, '00042'],
    [12345.678, 'number', { format: '0.00' }, '12345.68'],
    [-12345.678, 'number', { format: '#,##0.00 €' }, '−12,345.68 €'],
    [0.5, 'number', { format: '0.0%' }, '50.0%'],
    [0.5, 'number', { format: 'EUR' }, '€0.50'],
    [0.5, 'number', { format: 'percent' }, '50%'],
    [12345.5, 'number', { format: 'of the shop' }, '12,345.5'],
    [12345.5, 'number', { format: EUR, showAs: ',.2f' }, '12,345.50'],
    ['9007199254740993', 'integer', { showAs: ',.0f' }, '9,007,199,254,740,993'],
    [-3.456, 'number', { showAs: '$,.2f' }, '−$3.46'],
    [1234567, 'integer', { showAs: '.3~s' }, '1.23M'],
    ['2025-03-01', 'date', { format: 'dd.MM.yyyy' }, '01.03.2025'],
    ['2025-03-01', 'date', { format: 'd-mmm-yy' }, '1-Mar-25'],
    ['2025-03-01T14:05:00', 'datetime', { format: 'yyyy-mm-dd hh:mm' }, '2025-03-01 14:05'],
    ['2025-03-01T14:05:00', 'datetime', { format: 'd MMM yyyy h:mm a' }, '1 Mar 2025 2:05 PM'],
    ['2025-03-01', 'date', { format: '%d.%m.%y' }, '01.03.25'],
    ['2025-03-01', 'date', { format: '0.00' }, '2025-03-01'],
    ['2025-03-01', 'date', {}, '2025-03-01'],
    ['12', 'string', { format: EUR }, '12'],
  ])('%s of the type %s with %j is shown as %s', (value, type, shown, text) => {
    expect(showValue(column(type, shown), value)).toBe(text);
  });

  it('that are names have no separators', () => {
    expect(nameText(column('integer'), 2026)).toBe('2026');
    expect(nameText(column('integer', { format: '#,##0' }), 2026)).toBe('2,026');
  });
});
