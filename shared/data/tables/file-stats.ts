import { createHash } from 'node:crypto';
import type { Engine, WrittenFile } from '../duckdb/engine.ts';
import { BOUND_BYTES } from '../duckdb/engine-contract.ts';
import { quoteIdentifier } from '../duckdb/quoting.ts';
import type { ColumnStats, DatasetColumn, FileStats } from './data-file.ts';
import { parquetFile } from './load-context.ts';

/** More columns would make manifests large, and most filters use the first ones. */
const MAX_COLUMNS = 32;
const MAX_TEXT_LENGTH = 100;
const ORDERED = /^(integer|decimal\(.*\)|date|timestamp|timestamptz|string)$/;

/** The bounds of the first columns of a local Parquet file, and of the `additional` columns. */
export async function readFileStats(
  engine: Engine,
  path: string,
  columns: readonly DatasetColumn[],
  additional: readonly string[] = [],
): Promise<FileStats> {
  const chosen = chosenColumns(columns, additional);
  if (chosen.length === 0) return {};
  const values = chosen.flatMap(({ name }) => {
    const column = quoteIdentifier(name);
    return [`CAST(min(${column}) AS VARCHAR)`, `CAST(max(${column}) AS VARCHAR)`, `count(*) - count(${column})`];
  });
  const [row = []] = await engine.run(`SELECT ${values.join(', ')} FROM ${parquetFile(path)}`);
  return Object.fromEntries(
    chosen.map(({ name }, index) => {
      const [min, max, nulls] = row.slice(index * 3, index * 3 + 3) as [string | null, string | null, unknown];
      return [name, statsOf(min, max, Number(nulls))];
    }),
  );
}

/**
 * The same bounds of a file that the engine has just written, without reading it. Undefined if the writer knows too
 * little: it cuts off long texts, and reports no bounds of a column of which a row group has no values.
 */
export function writtenFileStats(
  { rows, bounds }: Pick<WrittenFile, 'rows' | 'bounds'>,
  columns: readonly DatasetColumn[],
  additional: readonly string[] = [],
): FileStats | undefined {
  const stats: FileStats = {};
  for (const { name } of chosenColumns(columns, additional)) {
    const { min = null, max = null, nulls } = bounds.get(name) ?? {};
    const isKnown = nulls === rows || (isWhole(min) && isWhole(max));
    if (nulls === undefined || !isKnown) return undefined;
    stats[name] = statsOf(min, max, nulls);
  }
  return stats;
}

const isWhole = (text: string | null) => text !== null && Buffer.byteLength(text) < BOUND_BYTES;

const chosenColumns = (columns: readonly DatasetColumn[], additional: readonly string[]) =>
  columns.filter(({ name, type }, index) => ORDERED.test(type) && (index < MAX_COLUMNS || additional.includes(name)));

function statsOf(min: string | null, max: string | null, nulls: number): ColumnStats {
  const isShort = (text: string | null) => text !== null && text.length <= MAX_TEXT_LENGTH;
  return { ...(isShort(min) ? { min: min! } : {}), ...(isShort(max) ? { max: max! } : {}), nulls };
}

/** Identifies the column names and types in their order. Files with equal values can be read together. */
export async function readFileForm(engine: Engine, path: string): Promise<string> {
  const { columns, types } = await engine.shape(`SELECT * FROM ${parquetFile(path)}`);
  const named = columns.map(({ name }, i) => [name, String(types[i])]);
  return createHash('sha256').update(JSON.stringify(named)).digest('hex').slice(0, 16);
}
