import type { Distribution, DriftLevel } from './distribution.ts';
import type { SemanticMatch } from './semantic-types.ts';

/** A value in the wire format: integers beyond 2^53 and decimals are texts. */
export type Value = string | number | boolean;

export interface ValueCount {
  value: Value;
  count: number;
  /** Percent of the values. */
  pct: number;
}

export interface HistogramBin {
  low: Value;
  /** Belongs to the next bin, except in the last one. */
  high: Value;
  count: number;
}

export interface PatternCount {
  pattern: string;
  count: number;
  pct: number;
}

export interface ColumnDrift {
  /** In percentage points. */
  nullPctChange: number;
  /** Relative to the previous mean, in percent; null without both means. */
  meanChangePct: number | null;
  /** The population stability index; null where a comparison says nothing, as for identifiers and dates. */
  psi: number | null;
  level: DriftLevel;
}

/** What the values of a column are like. Members that do not apply to its type are null. */
export interface ColumnProfile {
  name: string;
  dataType: string;
  rowCount: number;
  nullCount: number;
  nullPct: number;
  distinctCount: number;
  /** An estimate is within 2 %. */
  isDistinctExact: boolean;
  /** Distinct values in percent of the values. */
  uniquePct: number | null;
  /** NaN and infinities, which no other member counts. */
  nonFiniteCount: number;
  min: Value | null;
  max: Value | null;
  mean: number | null;
  stddev: number | null;
  p5: Value | null;
  p25: Value | null;
  median: Value | null;
  p75: Value | null;
  p95: Value | null;
  zeroCount: number | null;
  negativeCount: number | null;
  /** Empty texts and those of white space alone. */
  blankCount: number | null;
  minLength: number | null;
  maxLength: number | null;
  /** The most frequent values, those that occur more than once first. */
  topValues: ValueCount[];
  histogram: HistogramBin[];
  patterns: PatternCount[];
  inferredSemanticType: SemanticMatch | null;
  /** Percentiles, top values, histogram and patterns are estimates from a sample of the rows. */
  isSampled: boolean;
  driftFromPrevious: ColumnDrift | null;
}

/** Kept with a profile for the comparison with the next one. */
export interface StoredColumnProfile extends ColumnProfile {
  distribution: Distribution | null;
}

export interface TableDrift {
  rowCountChange: number;
  /** Null if the table was empty. */
  rowCountChangePct: number | null;
  addedColumns: string[];
  removedColumns: string[];
  changedTypes: { name: string; from: string; to: string }[];
}

export interface TableProfile {
  rowCount: number;
  /** The rows from which percentiles, top values, histograms and patterns are estimated; null if from all. */
  sampledRows: number | null;
  columns: StoredColumnProfile[];
  driftFromPrevious: TableDrift | null;
}

export const HISTOGRAM_BINS = 20;
export const DEFAULT_TOP = 20;
/** Longer texts are cut to so many characters. */
export const MAX_VALUE_LENGTH = 200;
/** Tables with more rows are sampled unless the caller asks otherwise. */
export const MAX_FULL_ROWS = 10_000_000;
export const SAMPLE_ROWS = 1_000_000;
