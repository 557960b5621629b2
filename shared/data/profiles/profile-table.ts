import { DataError } from '../../platform/errors/data-error.ts';
import type { Column } from '../duckdb/column-types.ts';
import type { Engine } from '../duckdb/engine.ts';
import { ask, VALUES } from './ask.ts';
import { type ProfiledColumn, profiledColumn } from './column-kinds.ts';
import { type Counters, readCounters } from './counters.ts';
import {
  type Percentiles,
  readDistribution,
  readHistogram,
  readPercentiles,
  readShares,
  readTexts,
  readTopValues,
} from './describe-values.ts';
import { levelOf, stabilityIndex } from './distribution.ts';
import { patternOf } from './patterns.ts';
import {
  type ColumnDrift,
  DEFAULT_TOP,
  MAX_FULL_ROWS,
  type PatternCount,
  SAMPLE_ROWS,
  type StoredColumnProfile,
  type TableDrift,
  type TableProfile,
} from './profile.ts';
import { inferSemanticType, SEMANTIC_TYPES, type SemanticType, type TextValue } from './semantic-types.ts';
import { type CountPlan, countValues, planCounts } from './values.ts';

export interface ProfileOptions {
  /** Columns to profile; all by default. */
  columns?: readonly string[] | undefined;
  /**
   * Estimates from about so many rows; by default all rows of tables up to `MAX_FULL_ROWS`, otherwise `SAMPLE_ROWS`.
   */
  sampleRows?: number | undefined;
  topK?: number | undefined;
  detect?: readonly SemanticType[] | undefined;
  /** The profile to compare with. */
  previous?: TableProfile | undefined;
  /** Rows of the table that the relation lacks; the figures are then estimates from the others. */
  skippedRows?: number | undefined;
  /** Called after each column. */
  progress?: (done: number, total: number) => void;
}

/**
 * Describes the columns of a relation: a trusted piece of SQL that is read several times. Counts, minimum, maximum and
 * mean are of all rows. It holds the values of one column at a time, and those of large tables as a sample.
 */
export async function profileTable(
  engine: Engine,
  relation: string,
  options: ProfileOptions = {},
): Promise<TableProfile> {
  const all = await engine.describe(`SELECT * FROM ${relation}`);
  const columns = chosenColumns(all, options.columns).map(profiledColumn);
  const { rowCount, counters } = await readCounters(engine, relation, columns);
  const { skippedRows = 0 } = options;
  const sampleRows = options.sampleRows ?? SAMPLE_ROWS;
  const maxFullRows = options.sampleRows ?? MAX_FULL_ROWS;
  const plans = await planCounts(engine, relation, columns, { rowCount, counters, sampleRows, maxFullRows });
  const profiled: StoredColumnProfile[] = [];
  for (const [index, column] of columns.entries()) {
    const subject = { column, counters: counters[index]!, plan: plans[index]!, rowCount };
    const profile = await profileColumn(engine, relation, subject, options);
    profiled.push(skippedRows > 0 ? { ...profile, isSampled: true } : profile);
    options.progress?.(index + 1, columns.length);
  }
  const table = { rowCount: rowCount + skippedRows, columns: profiled };
  const isSampled = profiled.some((column) => column.isSampled);
  const hasPlan = plans.some(({ samplePct }) => samplePct !== undefined);
  return {
    ...table,
    sampledRows: isSampled ? Math.min(hasPlan ? sampleRows : rowCount, rowCount) : null,
    driftFromPrevious: options.previous ? tableDrift(options.previous, table, options) : null,
  };
}

function chosenColumns(all: readonly Column[], names: readonly string[] | undefined): readonly Column[] {
  if (!names) return all;
  const missing = names.find((name) => !all.some((column) => column.name === name));
  if (missing !== undefined) throw new DataError('SCHEMA_MISMATCH', `There is no column ${missing}.`);
  return all.filter(({ name }) => names.includes(name));
}

interface Subject {
  column: ProfiledColumn;
  counters: Counters;
  plan: CountPlan;
  rowCount: number;
}

async function profileColumn(
  engine: Engine,
  relation: string,
  { column, counters, plan, rowCount }: Subject,
  { topK = DEFAULT_TOP, detect = SEMANTIC_TYPES, previous }: ProfileOptions,
): Promise<StoredColumnProfile> {
  const { distinct, isExact } = await countValues(engine, relation, column, { plan, maxLength: counters.maxLength });
  const finite = counters.values - counters.nonFinite;
  const total = column.kind === 'other' ? 0 : await totalOf(engine);
  const scale = total > 0 ? finite / total : 1;
  const top = total > 0 ? await readTopValues(engine, column, { topK, distinct, total, scale }) : [];
  const isOrdered = total > 0 && (column.kind === 'number' || column.kind === 'date');
  const none: Percentiles = { percentiles: [], deciles: [] };
  const { percentiles, deciles } = isOrdered ? await readPercentiles(engine, column, total) : none;
  const texts = total > 0 && column.kind === 'text' ? await readTexts(engine) : [];
  const distribution = total > 0 ? await readDistribution(engine, column, { counters, distinct, deciles, top }) : null;
  const [p5 = null, p25 = null, median = null, p75 = null, p95 = null] = percentiles;
  const figures = {
    name: column.name,
    dataType: column.type,
    rowCount,
    nullCount: rowCount - counters.values,
    nullPct: percent(rowCount - counters.values, rowCount) ?? 0,
    distinctCount: Math.min(distinct, finite),
    isDistinctExact: isExact,
    uniquePct: percent(Math.min(distinct, finite), finite),
    nonFiniteCount: counters.nonFinite,
    min: counters.min,
    max: counters.max,
    mean: counters.mean,
    stddev: counters.stddev,
    ...{ p5, p25, median, p75, p95 },
    zeroCount: counters.zeros,
    negativeCount: counters.negatives,
    blankCount: counters.blanks,
    minLength: counters.minLength,
    maxLength: counters.maxLength,
  };
  return {
    ...figures,
    topValues: top,
    histogram: isOrdered ? await readHistogram(engine, column, scale) : [],
    patterns: patternsOf(texts, finite, topK),
    inferredSemanticType: inferSemanticType(factsOf(column, figures), texts, detect),
    isSampled: plan.samplePct !== undefined && column.kind !== 'other',
    driftFromPrevious: await columnDrift(engine, column, figures, previous),
    distribution,
  };
}

async function totalOf(engine: Engine): Promise<number> {
  const [[total] = []] = await ask(engine, `SELECT coalesce(sum(n), 0)::BIGINT FROM ${VALUES}`);
  return Number(total);
}

const percent = (part: number, whole: number): number | null => (whole === 0 ? null : (100 * part) / whole);

const factsOf = (
  { name, kind, type }: ProfiledColumn,
  figures: { distinctCount: number; rowCount: number; nullCount: number },
) => ({
  name,
  kind,
  isInteger: type === 'integer',
  values: figures.rowCount - figures.nullCount,
  distinct: figures.distinctCount,
});

/** The most frequent shapes of texts; if only some were examined, their counts are extended to all values. */
function patternsOf(texts: readonly TextValue[], values: number, topK: number): PatternCount[] {
  const counts = new Map<string, number>();
  let total = 0;
  for (const { text, count } of texts) {
    const pattern = patternOf(text);
    counts.set(pattern, (counts.get(pattern) ?? 0) + count);
    total += count;
  }
  return [...counts]
    .map(([pattern, count]) => ({
      pattern,
      count: Math.round((count * values) / total),
      pct: (100 * count) / total,
    }))
    .sort((a, b) => b.count - a.count || (a.pattern < b.pattern ? -1 : 1))
    .slice(0, topK);
}

async function columnDrift(
  engine: Engine,
  column: ProfiledColumn,
  now: { nullPct: number; mean: number | null },
  previous: TableProfile | undefined,
): Promise<ColumnDrift | null> {
  const before = previous?.columns.find(({ name }) => name === column.name);
  if (!before || before.dataType !== column.type) return null;
  const shares = before.distribution ? await readShares(engine, column, before.distribution) : undefined;
  const psi = shares ? stabilityIndex(before.distribution!.shares, shares) : null;
  const canCompare = before.mean !== null && before.mean !== 0 && now.mean !== null;
  return {
    nullPctChange: now.nullPct - before.nullPct,
    meanChangePct: canCompare ? (100 * (now.mean! - before.mean!)) / Math.abs(before.mean!) : null,
    psi,
    level: levelOf(psi),
  };
}

/** With a choice of columns, others are neither new nor gone. */
function tableDrift(
  before: TableProfile,
  now: { rowCount: number; columns: readonly StoredColumnProfile[] },
  { columns: chosen }: ProfileOptions,
): TableDrift {
  const earlier = new Map(before.columns.map(({ name, dataType }) => [name, dataType]));
  const current = new Map(now.columns.map(({ name, dataType }) => [name, dataType]));
  const change = now.rowCount - before.rowCount;
  return {
    rowCountChange: change,
    rowCountChangePct: percent(change, before.rowCount),
    addedColumns: chosen ? [] : [...current.keys()].filter((name) => !earlier.has(name)),
    removedColumns: chosen ? [] : [...earlier.keys()].filter((name) => !current.has(name)),
    changedTypes: [...current].flatMap(([name, to]) => {
      const from = earlier.get(name);
      return from === undefined || from === to ? [] : [{ name, from, to }];
    }),
  };
}
