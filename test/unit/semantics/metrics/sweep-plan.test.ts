import { describe, expect, it } from 'vitest';
import { dateOf } from '../../../../shared/domains/semantics/metrics/calendar.ts';
import type { MetricRecord } from '../../../../shared/domains/semantics/metrics/records.ts';
import { isSwept, nextSweepAt, periodsToSweep } from '../../../../shared/domains/semantics/metrics/sweep-plan.ts';

const metric = (more: Partial<MetricRecord> = {}) => {
  const anomalyChecks = { delayHours: 6, threshold: 3.5 };
  const record = { isCertified: true, grain: 'day', timezone: 'Europe/Berlin', anomalyChecks, ...more } as MetricRecord;
  if (!isSwept(record)) throw new Error('the metric is not checked');
  return record;
};

const planned = (record: ReturnType<typeof metric>, checkedUntil: string | undefined, now: string) => {
  const periods = periodsToSweep(record, checkedUntil, new Date(now));
  return periods && [dateOf(periods.first), dateOf(periods.last), periods.until.toISOString()];
};

describe('the periods to check', () => {
  it('are at first the newest whose rows have had the time to arrive', () => {
    expect(planned(metric(), undefined, '2026-03-10T04:59:59Z')).toEqual([
      '2026-03-08',
      '2026-03-08',
      '2026-03-08T23:00:00.000Z',
    ]);
    expect(planned(metric(), undefined, '2026-03-10T05:00:00Z')).toEqual([
      '2026-03-09',
      '2026-03-09',
      '2026-03-09T23:00:00.000Z',
    ]);
  });

  it('are then those since the last check, seven at most', () => {
    const since = '2026-03-06T23:00:00.000Z';
    expect(planned(metric(), since, '2026-03-10T12:00:00Z')?.slice(0, 2)).toEqual(['2026-03-07', '2026-03-09']);
    expect(planned(metric(), since, '2026-05-01T12:00:00Z')?.slice(0, 2)).toEqual(['2026-04-24', '2026-04-30']);
    expect(planned(metric(), since, '2026-03-07T12:00:00Z')).toBeUndefined();
  });

  it('continue where checks of another grain have ended', () => {
    const monthly = metric({ grain: 'month' });
    expect(planned(monthly, '2026-03-09T23:00:00.000Z', '2026-03-20T00:00:00Z')).toBeUndefined();
    expect(planned(monthly, '2026-03-09T23:00:00.000Z', '2026-04-02T00:00:00Z')?.slice(0, 2)).toEqual([
      '2026-03-01',
      '2026-03-01',
    ]);
  });

  it('are due a while after the end of the next period, also when clocks change', () => {
    const due = (until: string) => nextSweepAt(metric(), new Date(until)).toISOString();
    expect(due('2026-03-09T23:00:00.000Z')).toBe('2026-03-11T05:00:00.000Z');
    expect(due('2026-03-28T23:00:00.000Z')).toBe('2026-03-30T04:00:00.000Z');
  });
});
