import { createHash } from 'node:crypto';
import type { Engine } from '../duckdb/engine.ts';
import { quoteIdentifier } from '../duckdb/quoting.ts';
import type { DatasetColumn, FileStats } from './data-file.ts';
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
  const chosen = columns.filter(
    ({ name, type }, index) => ORDERED.test(type) && (index < MAX_COLUMNS || additional.includes(name)),
  );
  if (chosen.length === 0) return {};
  const values = chosen.flatMap(({ name }) => {
    const column = quoteIdentifier(name);
    return [`CAST(min(${column}) AS VARCHAR)`, `CAST(max(${column}) AS VARCHAR)`, `count(*) - count(${column})`];
  });
  const [row = []] = await engine.run(`SELECT ${values.join(', ')} FROM ${parquetFile(path)}`);
  return Object.fromEntries(
    chosen.map(({ name }, index) => {
      const [min, max, nulls] = row.slice(index * 3, index * 3 + 3) as [string | null, string | null, unknown];
      const isShort = (text: string | null) => text !== null && text.length <= MAX_TEXT_LENGTH;
      return [
        name,
        { ...(isShort(min) ? { min: min! } : {}), ...(isShort(max) ? { max: max! } : {}), nulls: Number(nulls) },
      ];
    }),
  );
}

/** Identifies the column names and types in their order. Files with equal values can be read together. */
export async function readFileForm(engine: Engine, path: string): Promise<string> {
  const { columns, types } = await engine.shape(`SELECT * FROM ${parquetFile(path)}`);
  const named = columns.map(({ name }, i) => [name, String(types[i])]);
  return createHash('sha256').update(JSON.stringify(named)).digest('hex').slice(0, 16);
}
