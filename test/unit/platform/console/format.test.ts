import { describe, expect, it } from 'vitest';
import {
  bytesOf,
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
    expect([0.1, 1234.5678, 1_234_567.8, 999_999_999, -1_234_567_890].map(roughly)).toEqual([
      ...['0.1', '1,234.57', '1,234,568', '999,999,999', '-1.23457B'],
    ]);
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
