import type { Severity, TestType } from '../../../data/quality/tests.ts';
import { nextInstant } from '../../../platform/schedule/schedule.ts';
import type { LatestResult } from '../runs/records.ts';
import type { StoredTest } from '../tests/records.ts';

export const DIMENSIONS = ['completeness', 'validity', 'uniqueness', 'consistency', 'timeliness', 'volume'] as const;
export type Dimension = (typeof DIMENSIONS)[number];

const DIMENSION_OF: Readonly<Record<TestType, Dimension>> = {
  not_null: 'completeness',
  unique: 'uniqueness',
  duplicate_detection: 'uniqueness',
  value_range: 'validity',
  email: 'validity',
  phone: 'validity',
  regex: 'validity',
  allowed_values: 'validity',
  no_negative: 'validity',
  date_range: 'timeliness',
  no_future_date: 'timeliness',
  foreign_key: 'consistency',
  custom_sql: 'consistency',
  row_count: 'volume',
};

const WEIGHTS: Readonly<Record<Severity, number>> = { critical: 8, high: 5, medium: 3, low: 1, info: 0 };

/** A table with a failing critical test has no better score than this. */
export const MAX_WITH_CRITICAL = 59;
/** A single error may have passed by the next run. */
const ERRORS_THAT_COUNT = 2;

export type ScoredTest = Pick<StoredTest, 'id' | 'testType' | 'severity' | 'schedule'>;

export interface TableScore {
  /** 0 to 100; null without evidence. */
  score: number | null;
  components: Record<Dimension, number | null>;
  /** The number of tests that the score is based on. */
  tests: number;
  /** Tests without a usable result. */
  unscored: number;
  failing: number;
  /** Ids of tests whose last result is too old to count. */
  stale: string[];
}

interface Weighted {
  value: number;
  weight: number;
  dimension: Dimension;
}

/** The score of a table from the newest results of its active tests. */
export function scoreTable(
  tests: readonly ScoredTest[],
  results: ReadonlyMap<string, LatestResult>,
  now: Date,
): TableScore {
  const stale = tests.filter((test) => isStale(test, results.get(test.id), now)).map(({ id }) => id);
  const current = tests.filter(({ id }) => !stale.includes(id));
  const scored = current.flatMap((test): (Weighted & { test: ScoredTest; fails: boolean })[] => {
    const result = results.get(test.id);
    const value = result && worthOf(result);
    if (result === undefined || value === undefined) return [];
    const weight = WEIGHTS[test.severity];
    return [{ test, value, weight, dimension: DIMENSION_OF[test.testType], fails: isFailing(result) }];
  });
  const isCapped = scored.some(({ test, fails }) => fails && test.severity === 'critical');
  const mean = weightedMean(scored);
  return {
    score: mean === null ? null : rounded(isCapped ? Math.min(mean, MAX_WITH_CRITICAL) : mean),
    components: componentsOf(scored),
    tests: scored.length,
    unscored: tests.length - scored.length,
    failing: scored.filter(({ fails }) => fails).length,
    stale,
  };
}

const isFailing = ({ status, errors }: LatestResult): boolean =>
  status === 'failed' || (status === 'error' && errors >= ERRORS_THAT_COUNT);

/** Between 0 and 1; undefined if the result says nothing about the rows. */
function worthOf({ status, passRate, errors }: LatestResult): number | undefined {
  if (status === 'skipped') return undefined;
  if (status === 'error') return errors >= ERRORS_THAT_COUNT ? 0 : undefined;
  return passRate ?? (status === 'failed' ? 0 : 1);
}

/** A scheduled test that has missed two of its instants. */
function isStale({ schedule }: ScoredTest, result: LatestResult | undefined, now: Date): boolean {
  if (!result || schedule?.enabled !== true) return false;
  const first = nextInstant(schedule, new Date(result.startedAt));
  const second = first && nextInstant(schedule, first);
  return second !== undefined && second < now;
}

function componentsOf(scored: readonly Weighted[]): Record<Dimension, number | null> {
  const entries = DIMENSIONS.map((dimension) => {
    const mean = weightedMean(scored.filter((each) => each.dimension === dimension));
    return [dimension, mean === null ? null : rounded(mean)] as const;
  });
  return Object.fromEntries(entries) as Record<Dimension, number | null>;
}

/** 0 to 100; null if nothing has any weight. */
function weightedMean(values: readonly Pick<Weighted, 'value' | 'weight'>[]): number | null {
  const weight = values.reduce((sum, each) => sum + each.weight, 0);
  if (weight === 0) return null;
  return (100 * values.reduce((sum, each) => sum + each.value * each.weight, 0)) / weight;
}

/** Sums of floats differ in their last digits. */
const FULL = 100 - 1e-9;
const MAX_IMPERFECT = 99.9;

/** To a decimal; 100 only if nothing is missing. */
function rounded(score: number): number {
  const near = Math.round(score * 10) / 10;
  return score < FULL ? Math.min(near, MAX_IMPERFECT) : near;
}

export interface ScoredTable extends Pick<TableScore, 'score' | 'components'> {
  /** How many other records depend on the table. */
  dependents: number;
}

/** The score of several tables: those that others depend on weigh more, and those without a score do not count. */
export function scoreTables(tables: readonly ScoredTable[]): Pick<TableScore, 'score' | 'components'> {
  const weights = tables.map(({ dependents }) => 1 + Math.log2(1 + dependents));
  const mean = (worthOf: (table: ScoredTable) => number | null) => {
    const values = tables.flatMap((table, index) => {
      const value = worthOf(table);
      return value === null ? [] : [{ value: value / 100, weight: weights[index]! }];
    });
    const found = weightedMean(values);
    return found === null ? null : rounded(found);
  };
  const components = DIMENSIONS.map((dimension) => [dimension, mean((table) => table.components[dimension])] as const);
  return {
    score: mean(({ score }) => score),
    components: Object.fromEntries(components) as Record<Dimension, number | null>,
  };
}

export interface TrendPoint {
  date: string;
  tableKey: string;
  score: number;
}

/**
 * The mean of the tables' scores at the end of each day; a table keeps its score until the next. Points sort by date.
 */
export function trendByDay(points: readonly TrendPoint[], days: readonly string[]): { date: string; score: number }[] {
  const scores = new Map<string, number>();
  let next = 0;
  return days.flatMap((date) => {
    while (next < points.length && points[next]!.date <= date) {
      const { tableKey, score } = points[next++]!;
      scores.set(tableKey, score);
    }
    if (scores.size === 0) return [];
    const sum = [...scores.values()].reduce((total, score) => total + score, 0);
    return [{ date, score: rounded(sum / scores.size) }];
  });
}
