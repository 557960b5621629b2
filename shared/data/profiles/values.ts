import type { Engine } from '../duckdb/engine.ts';
import { ask, VALUES } from './ask.ts';
import type { ProfiledColumn } from './column-kinds.ts';
import type { Counters } from './counters.ts';
import { MAX_VALUE_LENGTH } from './profile.ts';

/** Up to here every distinct value is counted; beyond, only those of columns that have few. */
const MAX_COUNTED_ROWS = 1_000_000;
const PILOT_ROWS = 100_000;
/** Columns with presumably more distinct values are estimated. */
const MAX_COUNTED_VALUES = 200_000;
/** The distinct values by which their number is estimated, for a standard error of a third of a percent. */
const HASHES = 100_000;

/** How the values of a column are counted. */
export interface CountPlan {
  /** Percent of the rows to read the values from; undefined for all. */
  samplePct: number | undefined;
  /** One in so many hashes decides the number of distinct values; 1 for all. */
  hashesIn: number;
}

export interface PlanOptions {
  rowCount: number;
  counters: readonly Counters[];
  /** The number of rows for estimates. */
  sampleRows: number;
  /** Tables with more rows are sampled for every column. */
  maxFullRows: number;
}

/** Decides by a small random sample which columns have too many distinct values to count them all. */
export async function planCounts(
  engine: Engine,
  relation: string,
  columns: readonly ProfiledColumn[],
  { rowCount, counters, sampleRows, maxFullRows }: PlanOptions,
): Promise<CountPlan[]> {
  const samplePct = rowCount > sampleRows ? (100 * sampleRows) / rowCount : undefined;
  const isLarge = rowCount > maxFullRows;
  if (columns.length === 0 || rowCount <= MAX_COUNTED_ROWS) {
    return columns.map(() => ({ samplePct: isLarge ? samplePct : undefined, hashesIn: 1 }));
  }
  const hashes = columns.map(({ sql }, index) => `hash(${sql}) AS h${index}`).join(', ');
  const rows = sampled(
    `(SELECT ${columns.map(({ sql }) => sql).join(', ')} FROM ${relation})`,
    (100 * PILOT_ROWS) / rowCount,
  );
  await engine.run(`CREATE OR REPLACE TEMP TABLE profiled_pilot AS SELECT ${hashes} FROM ${rows}`);
  const counts = columns.map((_, index) => `count(DISTINCT h${index})`);
  const [row = []] = await ask(engine, `SELECT count(*), ${counts.join(', ')} FROM temp.main.profiled_pilot`);
  await engine.run('DROP TABLE temp.main.profiled_pilot');
  const [pilotRows, ...distincts] = row.map(Number) as [number, ...number[]];
  return columns.map((_, index) => {
    const pilotValues = (pilotRows * counters[index]!.values) / rowCount;
    const expected = Math.min(expectedDistinct(pilotValues, distincts[index]!), rowCount);
    const isCounted = expected <= MAX_COUNTED_VALUES;
    return {
      samplePct: isCounted && !isLarge ? undefined : samplePct,
      hashesIn: isCounted ? 1 : Math.max(1, Math.floor(expected / HASHES)),
    };
  });
}

/** The number of distinct values of a column of which `values` random ones have `distinct` different values. */
export function expectedDistinct(values: number, distinct: number): number {
  if (distinct >= values) return Number.POSITIVE_INFINITY;
  let [low, high] = [distinct, values * values];
  while (high - low > Math.max(1, low * 0.001)) {
    const middle = (low + high) / 2;
    // Values that are equally frequent; where they are not, the estimate is too low and the count costs more.
    if (middle * (1 - Math.exp(-values / middle)) < distinct) low = middle;
    else high = middle;
  }
  return high;
}

/**
 * Stores the distinct values `v` of a column with their numbers of rows `n` as the table `VALUES`, and returns the
 * number of distinct values of all rows.
 */
export async function countValues(
  engine: Engine,
  relation: string,
  column: ProfiledColumn,
  { plan, maxLength }: { plan: CountPlan; maxLength: number | null },
): Promise<{ distinct: number; isExact: boolean }> {
  const { sql, finite, kind } = column;
  const present = `${sql} IS NOT NULL${finite ? ` AND ${finite}` : ''}`;
  if (kind !== 'other') {
    const rows = plan.samplePct === undefined ? relation : sampled(`(SELECT ${sql} FROM ${relation})`, plan.samplePct);
    // Long texts are distinguished by their hashes, which are smaller.
    const isLong = (maxLength ?? 0) > MAX_VALUE_LENGTH;
    const [value, key] = isLong ? [`any_value(left(${sql}, ${MAX_VALUE_LENGTH}))`, `hash(${sql})`] : [sql, sql];
    await engine.run(
      `CREATE OR REPLACE TEMP TABLE profiled_values AS SELECT ${value} AS v, count(*)::BIGINT AS n FROM ${rows} WHERE ${present} GROUP BY ${key}`,
    );
    if (plan.samplePct === undefined) {
      const [[distinct] = []] = await ask(engine, `SELECT count(*) FROM ${VALUES}`);
      return { distinct: Number(distinct), isExact: true };
    }
  }
  const { hashesIn } = plan;
  const chosen = hashesIn === 1 ? present : `${present} AND hash(${sql}) % ${hashesIn} = 0`;
  const [[distinct] = []] = await ask(engine, `SELECT count(DISTINCT hash(${sql})) FROM ${relation} WHERE ${chosen}`);
  return { distinct: Number(distinct) * hashesIn, isExact: hashesIn === 1 };
}

const sampled = (relation: string, pct: number): string =>
  pct >= 100 ? relation : `(SELECT * FROM ${relation} USING SAMPLE ${pct}% (bernoulli))`;
