import { describe, expect, it } from 'vitest';
import { columnPlaces } from '../../../../functions/platform/console/site/ui/column-places.ts';
import {
  bytesOf,
  cellText,
  counted,
  durationOf,
  everyOf,
  hoursOf,
  roughly,
  scoreOf,
  shareOf,
  timesOf,
  valueText,
} from '../../../../functions/platform/console/site/ui/format.ts';

describe('numbers in the console', () => {
  it('have a noun that fits', () => {
    expect([0, 1, 1_234_567].map((count) => counted(count, 'row'))).toEqual(['0 rows', '1 row', '1,234,567 rows']);
  });

  it('are how often something happened', () => {
    expect([1, 2, 3, 1200].map(timesOf)).toEqual(['once', 'twice', '3 times', '1,200 times']);
    expect([1, 4].map((count) => everyOf(count, 'hour'))).toEqual(['every hour', 'every 4 hours']);
  });

  it('are sizes in a unit that is short', () => {
    expect([0, 999, 1000, 9_940, 9_960, 999_950, 12_400_000, 4.2e9, 3e15].map(bytesOf)).toEqual([
      '0 bytes',
      '999 bytes',
      '1.0 KB',
      '9.9 KB',
      '10 KB',
      '1.0 MB',
      '12 MB',
      '4.2 GB',
      '3.0 PB',
    ]);
  });

  it('are shares that never round to none or all', () => {
    expect([
      shareOf(0, 0),
      shareOf(0, 9),
      shareOf(1, 3),
      shareOf(1, 1e6),
      shareOf(999_999, 1e6),
      shareOf(9, 9),
    ]).toEqual(['–', '0%', '33.3%', '<0.1%', '>99.9%', '100%']);
  });

  it('are durations', () => {
    expect([340, 12_400, 125_000, 7_500_000].map(durationOf)).toEqual(['340 ms', '12 s', '2 min 5 s', '2 h 5 min']);
    expect([123_480_000, 367_200_000].map(durationOf)).toEqual(['34 h 18 min', '4 d 6 h']);
    expect([999.7, 59_999].map(durationOf)).toEqual(['1.0 s', '1 min 0 s']);
  });

  it('are computed numbers, whole ones with all digits', () => {
    expect([0, 0.1, 1234.5678, 1_234_567.8, 999_999_999, -1_234_567_890].map(roughly)).toEqual([
      ...['0', '0.1', '1,234.57', '1,234,568', '999,999,999', '-1.23457B'],
    ]);
    expect([0.00000123456, -2.2250738585072014e-308].map(roughly)).toEqual(['0.00000123456', '-2.22507e-308']);
    expect([99.96, 59, 0].map(scoreOf)).toEqual(['99', '59', '0']);
    expect([0, 0.001, 0.25, 12_345.678].map(hoursOf)).toEqual(['0', '<0.01', '0.25', '12,345.68']);
  });

  it('are values as they are stored', () => {
    expect(['9007199254740993', 0.1, true, [1, null], { a: 1 }].map(valueText)).toEqual([
      '9007199254740993',
      '0.1',
      'true',
      '[1,null]',
      '{"a":1}',
    ]);
  });
});

describe('values in the cells of a grid', () => {
  it.each([
    ['timestamp', '2001-01-01T00:05:00.000Z', '2001-01-01 00:05'],
    ['timestamp', '2001-01-01T00:00:00.000Z', '2001-01-01 00:00'],
    ['timestamp', '2001-01-01T00:05:07.000Z', '2001-01-01 00:05:07'],
    ['timestamp', '2001-01-01T00:05:00.120Z', '2001-01-01 00:05:00.12'],
    ['timestamp', '2024-01-02T03:04:05.123456789Z', '2024-01-02 03:04:05.123456789'],
    ['timestamp', '-0043-03-15T10:00:00.500Z', '-0043-03-15 10:00:00.5'],
    ['timestamp', '12024-01-01T10:00:00.000Z', '12024-01-01 10:00'],
    ['timestamp', '2024-01-02 03:04:05', '2024-01-02 03:04:05'],
    ['timestamptz', '2024-01-02T01:04:00.000Z', '2024-01-02 01:04 UTC'],
    ['timestamptz', '2024-07-02T01:04:00.000+02:00', '2024-07-02 01:04 +02:00'],
    ['timestamptz', '1900-01-01T00:00:00.000+05:21:10', '1900-01-01 00:00 +05:21:10'],
    ['timestamptz', '2024-01-02 01:04:05.5+00', '2024-01-02 01:04:05.5 UTC'],
    ['datetime', '2026-07-01T00:00:00.000+02:00', '2026-07-01 00:00 +02:00'],
    // An offset is never left out: without it, the time would be another one.
    ['timestamp', '2026-07-01T00:00:00.000+02:00', '2026-07-01 00:00 +02:00'],
    ['date', '2026-01-31', '2026-01-31'],
    ['date', '2026-01-31T00:00:00.000Z', '2026-01-31'],
    ['date', '2026-01-31T10:30:00.000Z', '2026-01-31 10:30'],
    ['time', '01:02:03.5', '01:02:03.5'],
    ['string', '2001-01-01T00:05:00.000Z', '2001-01-01T00:05:00.000Z'],
    ['list(timestamp)', ['2001-01-01T00:05:00.000Z'], '["2001-01-01T00:05:00.000Z"]'],
    ['timestamp', '0044-03-15 (BC) 10:00:00', '0044-03-15 (BC) 10:00:00'],
    ['integer', '9007199254740993', '9007199254740993'],
  ])('of type %s are shown without what says nothing: %s as %s', (type, stored, shown) => {
    expect(cellText(stored, type)).toBe(shown);
  });

  it('fit into their columns if they are numbers or times', () => {
    const columns = ['integer', 'double', 'decimal(38,9)', 'string', 'timestamp'].map((type) => ({ type }));
    const rows = [
      [1, 0.1, '1.000000000', 'a long text '.repeat(99), '2001-01-01T00:05:00.000Z'],
      [null, -2.2250738585072014e-308, '-12345678901234567890123456789.123456789', null, null],
      ['-9223372036854775808', 1e300, null, '', '2024-01-02T03:04:05.123456789Z'],
    ];
    const places = columnPlaces(columns, rows);
    const widths = places.slice(1).map((place, index) => place - places[index]!);
    expect(widths).toEqual([208, 243, 380, 172, 286]);
    expect(columnPlaces(columns, [])).toEqual([0, 172, 344, 516, 688, 860]);
  });
});
