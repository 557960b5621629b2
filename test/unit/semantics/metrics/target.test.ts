import { describe, expect, it } from 'vitest';
import { dateOf, midnightOf } from '../../../../shared/domains/semantics/metrics/calendar.ts';
import type { Direction } from '../../../../shared/domains/semantics/metrics/records.ts';
import { progressOf, targetIssues, targetWindow } from '../../../../shared/domains/semantics/metrics/target.ts';
import { DAY_MS } from '../../../../shared/platform/schedule/durations.ts';

const at = (date: string) => midnightOf(date);

describe('the time of a target', () => {
  it('is by default the period with its last day, up to that day', () => {
    const time = (grain: 'week' | 'month' | 'quarter' | 'year') => {
      const { start, end } = targetWindow(grain, { value: 1, by: '2026-11-20' }, at('2026-11-10'));
      return [dateOf(start), dateOf(end)];
    };
    expect(time('week')).toEqual(['2026-11-16', '2026-11-21']);
    expect(time('month')).toEqual(['2026-11-01', '2026-11-21']);
    expect(time('quarter')).toEqual(['2026-10-01', '2026-11-21']);
    expect(time('year')).toEqual(['2026-01-01', '2026-11-21']);
  });

  it('counts only what has passed of it', () => {
    const through = (now: string) => {
      const target = { value: 1, from: '2026-11-01', by: '2026-11-30' };
      return dateOf(targetWindow('month', target, at(now)).through);
    };
    expect([through('2026-10-05'), through('2026-11-05'), through('2027-01-05')]).toEqual([
      '2026-11-01',
      '2026-11-05',
      '2026-12-01',
    ]);
  });

  it('must not end before it begins', () => {
    expect(targetIssues('month', { value: 1, from: '2026-12-01', by: '2026-11-30' })).toMatchObject([
      { pointer: '/target/from', code: 'ORDER' },
    ]);
    expect(targetIssues('month', { value: 1, from: '2026-11-30', by: '2026-11-30' })).toEqual([]);
  });
});

describe('the pace', () => {
  const start = at('2026-11-01');
  const passed = (days: number) => ({ start, end: start + 30 * DAY_MS, through: start + days * DAY_MS });
  const pace = (days: number, actual: number | null, direction: Direction = 'up_good', isAdditive = true) =>
    progressOf({ value: 300 }, passed(days), { actual, isAdditive, direction }).pace;

  it('expects the part of the target that belongs to the time passed', () => {
    expect(pace(15, 150)).toEqual({ elapsed: 0.5, expected: 150, status: 'on_track' });
    expect(pace(15, 157)?.status).toBe('on_track');
    expect(pace(15, 158)?.status).toBe('ahead');
    expect(pace(15, 142)?.status).toBe('behind');
    expect(pace(0, null)).toEqual({ elapsed: 0, expected: 0, status: 'on_track' });
    expect(pace(10, null)?.status).toBe('behind');
  });

  it('is better below the expected value where less is good', () => {
    expect(pace(15, 100, 'down_good')?.status).toBe('ahead');
    expect(pace(15, 200, 'down_good')?.status).toBe('behind');
  });

  it('has no tolerance once the time is over', () => {
    expect([299, 300, 301].map((actual) => pace(30, actual)?.status)).toEqual(['behind', 'on_track', 'ahead']);
  });

  it('expects the target itself of values that do not add up', () => {
    expect(pace(3, 300, 'up_good', false)).toMatchObject({ expected: 300, status: 'on_track' });
    expect(progressOf({ value: 300 }, passed(3), { actual: null, isAdditive: false, direction: 'up_good' })).toEqual({
      actual: null,
      progress: null,
      pace: null,
    });
  });
});
