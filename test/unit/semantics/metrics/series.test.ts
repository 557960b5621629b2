import { describe, expect, it } from 'vitest';
import { dateOf } from '../../../../shared/domains/semantics/metrics/calendar.ts';
import {
  filled,
  MAX_POINTS,
  type Point,
  periodsOf,
} from '../../../../shared/domains/semantics/metrics/metric-series.ts';

const now = new Date('2026-11-23T12:00:00Z');

describe('the periods of a series', () => {
  const dates = (request: Partial<Parameters<typeof periodsOf>[1]>, zone = 'UTC') =>
    periodsOf(zone, { grain: 'month', now, ...request }).map(dateOf);

  it('contain both dates', () => {
    expect(dates({ from: '2026-01-31', to: '2026-03-01' })).toEqual(['2026-01-01', '2026-02-01', '2026-03-01']);
    expect(dates({ from: '2025-12-31', to: '2026-01-05', grain: 'week' })).toEqual(['2025-12-29', '2026-01-05']);
  });

  it('end by default with the current one in the zone', () => {
    const day = { grain: 'day', now: new Date('2026-11-23T23:30:00Z') } as const;
    expect(dates(day).at(-1)).toBe('2026-11-23');
    expect(dates(day, 'Asia/Tokyo').at(-1)).toBe('2026-11-24');
    expect(dates({})).toHaveLength(12);
  });

  it('are limited in number, and in order', () => {
    const issues = (request: Parameters<typeof dates>[0]) => {
      try {
        dates(request);
      } catch (error) {
        return (error as { errors: { pointer: string; code: string }[] }).errors.map(({ code }) => code);
      }
      return [];
    };
    expect(issues({ grain: 'day', from: '0001-01-01' })).toEqual(['TOO_MANY']);
    expect(issues({ from: '2026-02-01', to: '2026-01-31' })).toEqual(['ORDER']);
    expect(dates({ grain: 'day', from: '2021-06-04', to: '2026-11-23' })).toHaveLength(1999);
    expect(MAX_POINTS).toBe(2000);
  });
});

describe('the fill of a series', () => {
  const points = [null, 2, null, null].map(
    (value, index): Point => ({
      date: `2026-${9 + index}-01`,
      from: new Date(Date.UTC(2026, 8 + index)).toISOString(),
      to: new Date(Date.UTC(2026, 9 + index)).toISOString(),
      value,
      isComplete: false,
    }),
  );
  const values = (fill: 'null' | 'zero' | 'previous') => filled(points, fill, now).map(({ value }) => value);

  it('leaves what is not known, and periods that have not begun', () => {
    expect(values('null')).toEqual([null, 2, null, null]);
    expect(values('zero')).toEqual([0, 2, 0, null]);
    expect(values('previous')).toEqual([null, 2, 2, null]);
  });
});
