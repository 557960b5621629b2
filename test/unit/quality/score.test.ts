import { describe, expect, it } from 'vitest';
import type { LatestResult } from '../../../shared/domains/quality/runs/records.ts';
import { freshnessOf } from '../../../shared/domains/quality/scans/freshness.ts';
import {
  type ScoredTable,
  type ScoredTest,
  scoreTable,
  scoreTables,
  trendByDay,
} from '../../../shared/domains/quality/scores/rules.ts';

const NOW = new Date('2026-03-10T12:00:00Z');

const test = (id: string, body: Partial<ScoredTest> = {}): ScoredTest => ({
  id,
  testType: 'not_null',
  severity: 'medium',
  schedule: null,
  ...body,
});
const results = (...list: (Partial<LatestResult> & { testId: string })[]) =>
  new Map(
    list.map((each) => [
      each.testId,
      { status: 'passed', passRate: 1, errors: 0, startedAt: '2026-03-10T11:00:00.000Z', ...each } as LatestResult,
    ]),
  );

describe('the score of a table', () => {
  it('is null without evidence, which is not 100', () => {
    expect(scoreTable([], results(), NOW)).toMatchObject({ score: null, tests: 0, unscored: 0 });
    expect(scoreTable([test('a')], results(), NOW)).toMatchObject({ score: null, unscored: 1 });
    expect(scoreTable([test('a')], results({ testId: 'a', status: 'skipped', passRate: null }), NOW)).toMatchObject({
      score: null,
      unscored: 1,
    });
  });

  it('weighs tests by severity, and info not at all', () => {
    const tests = [test('a', { severity: 'high' }), test('b', { severity: 'low' }), test('c', { severity: 'info' })];
    const found = results({ testId: 'a', passRate: 0.8 }, { testId: 'b' }, { testId: 'c', passRate: 0 });
    expect(scoreTable(tests, found, NOW)).toMatchObject({ score: 83.3, tests: 3 });
    expect(scoreTable([tests[2]!], found, NOW).score).toBeNull();
  });

  it('is 100 only if every row passes', () => {
    const found = results({ testId: 'a', passRate: 0.9999 }, { testId: 'b' });
    expect(scoreTable([test('a'), test('b')], found, NOW).score).toBe(99.9);
    const table = (score: number): ScoredTable => ({
      score,
      components: {} as ScoredTable['components'],
      dependents: 3,
    });
    expect(scoreTables([table(99.9), ...Array.from({ length: 50 }, () => table(100))]).score).toBe(99.9);
    expect(scoreTables(Array.from({ length: 7 }, () => table(100))).score).toBe(100);
  });

  it('counts a test of the whole table as 0 or 1, and a warning by its rows', () => {
    const rows = test('rows', { testType: 'row_count' });
    expect(scoreTable([rows], results({ testId: 'rows', status: 'failed', passRate: null }), NOW).score).toBe(0);
    expect(scoreTable([rows], results({ testId: 'rows', passRate: null }), NOW).score).toBe(100);
    expect(scoreTable([test('a')], results({ testId: 'a', status: 'warned', passRate: 0.9 }), NOW).score).toBe(90);
  });

  it('is at most 59 while a critical test fails', () => {
    const tests = [test('a', { severity: 'critical' }), test('b', { severity: 'critical' })];
    const failing = results({ testId: 'a', status: 'failed', passRate: 0.99 }, { testId: 'b' });
    expect(scoreTable(tests, failing, NOW)).toMatchObject({ score: 59, failing: 1 });
    expect(scoreTable(tests, results({ testId: 'a', passRate: 0.99 }, { testId: 'b' }), NOW).score).toBe(99.5);
  });

  it('counts errors as 0 from the second one in a row on', () => {
    const error = { testId: 'a', status: 'error', passRate: null } as const;
    expect(scoreTable([test('a')], results({ ...error, errors: 1 }), NOW).score).toBeNull();
    expect(scoreTable([test('a')], results({ ...error, errors: 2 }), NOW)).toMatchObject({ score: 0, failing: 1 });
  });

  it('drops and lists results that have missed two instants of their schedule', () => {
    const daily = test('a', { schedule: { cron: '0 6 * * *', timezone: 'UTC', enabled: true } });
    const of = (startedAt: string) => scoreTable([daily], results({ testId: 'a', startedAt }), NOW);
    expect(of('2026-03-09T06:00:05.000Z')).toMatchObject({ score: 100, stale: [] });
    expect(of('2026-03-08T06:00:05.000Z')).toMatchObject({ score: null, stale: ['a'], unscored: 1 });
  });

  it('has components by dimension', () => {
    const tests = [test('a'), test('b', { testType: 'unique' }), test('c', { testType: 'email' })];
    const found = results({ testId: 'a', passRate: 0.5 }, { testId: 'b' });
    expect(scoreTable(tests, found, NOW).components).toEqual({
      completeness: 50,
      validity: null,
      uniqueness: 100,
      consistency: null,
      timeliness: null,
      volume: null,
    });
  });
});

describe('the score of tables', () => {
  const none = scoreTable([], results(), NOW).components;
  const table = (score: number | null, dependents: number): ScoredTable => ({ score, dependents, components: none });

  it('weighs tables by what depends on them, and leaves out those without a score', () => {
    expect(scoreTables([table(100, 0), table(40, 3), table(null, 100)]).score).toBe(55);
    expect(scoreTables([table(null, 1)]).score).toBeNull();
  });

  it('has a trend in which tables keep their scores until the next', () => {
    const points = [
      { date: '2026-02-01', tableKey: 'a', score: 80 },
      { date: '2026-03-02', tableKey: 'b', score: 100 },
      { date: '2026-03-03', tableKey: 'a', score: 50 },
    ];
    expect(trendByDay(points, ['2026-03-01', '2026-03-02', '2026-03-03'])).toEqual([
      { date: '2026-03-01', score: 80 },
      { date: '2026-03-02', score: 90 },
      { date: '2026-03-03', score: 75 },
    ]);
    expect(trendByDay(points, ['2026-01-31'])).toEqual([]);
  });
});

describe('freshness', () => {
  const daily = { cron: '0 6 * * *', timezone: 'UTC', enabled: true };
  const of = (lastLoadedAt: string | null, schedule: typeof daily | null = null, loads: string[] = []) =>
    freshnessOf({ lastLoadedAt, schedule, loads }, NOW);

  it('follows the schedule, with an hour for the load itself', () => {
    expect(of('2026-03-10T06:00:30.000Z', daily)).toMatchObject({ status: 'fresh', expectedEvery: 86_400 });
    expect(of('2026-03-09T06:00:30.000Z', daily)).toMatchObject({
      status: 'stale',
      staleAt: '2026-03-10T07:00:00.000Z',
    });
  });

  it('follows the longest age that is given, and is unknown if the rows were last read before that', () => {
    const read = (readAt: string, maxAgeMinutes = 60) => {
      const lastLoadedAt = '2026-03-10T10:30:00.000Z';
      return freshnessOf({ lastLoadedAt, schedule: daily, loads: [], maxAgeMinutes, readAt }, NOW).status;
    };
    expect(read('2026-03-10T11:30:01.000Z')).toBe('stale');
    expect(read('2026-03-10T11:30:00.000Z')).toBe('unknown');
    expect(read('2026-03-10T10:30:00.000Z', 90)).toBe('fresh');
  });

  it('follows the rhythm of loads without a schedule, and is unknown without either', () => {
    const loads = ['2026-03-06', '2026-03-07', '2026-03-08', '2026-03-09'].map((day) => `${day}T06:00:00.000Z`);
    expect(of(loads[3]!, null, loads)).toMatchObject({ status: 'fresh', expectedEvery: 86_400 });
    expect(of(loads[1]!, null, loads)).toMatchObject({ status: 'stale' });
    expect(of(loads[3]!, null, loads.slice(1))).toMatchObject({ status: 'unknown', expectedEvery: null });
    expect(of(null, daily)).toMatchObject({ status: 'unknown', lastLoadedAt: null });
  });
});
