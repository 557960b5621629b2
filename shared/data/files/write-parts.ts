import { DataError } from '../../platform/errors/data-error.ts';
import { freeName } from '../duckdb/column-names.ts';
import type { Engine } from '../duckdb/engine.ts';
import { quoteIdentifier, quoteLiteral } from '../duckdb/quoting.ts';
import type { DatasetColumn } from '../tables/data-file.ts';
import { MAX_PARTITIONS } from '../tables/partition.ts';
import type { TargetFormat } from './formats.ts';
import { type WrittenRows, writeRows } from './write-rows.ts';

export interface Part extends WrittenRows {
  /** Relative to the folder: empty, or a path such as `day=2026-01-31/region=eu/`. */
  folder: string;
  partition?: Record<string, string | null>;
}

/** The usual name of the partition of rows without a value in Hive-style folders. */
const NO_VALUE = '__HIVE_DEFAULT_PARTITION__';

const PARTING = /^(string|integer|boolean|date)$/;

/**
 * Writes the rows of a statement to one file, or to one for each combination of values in `partitionBy`, whose columns
 * are in the path and not in the file. The same rows always produce the same files. Throws SCHEMA_MISMATCH.
 */
export async function* writeParts(
  engine: Engine,
  rows: { sql: string; columns: readonly DatasetColumn[]; partitionBy: readonly string[]; format: TargetFormat },
  file: () => string,
): AsyncGenerator<Part & { path: string }> {
  const { sql, columns, partitionBy, format } = rows;
  if (partitionBy.length === 0) {
    const path = file();
    const written = await writeRows(engine, sql, format, path);
    if (written.rows > 0) yield { ...written, folder: '', path };
    return;
  }
  rejectOtherColumns(columns, partitionBy);
  const keys = partitionBy.map(quoteIdentifier);
  const number = quoteIdentifier(freeName('part', columns));
  const sorted = engine.temporaryPath('parquet');
  await engine.copyToParquet(
    `SELECT *, dense_rank() OVER (ORDER BY ${keys.join(', ')}) AS ${number} FROM (${sql}) ORDER BY ${number}`,
    { path: sorted },
  );
  const source = `read_parquet([${quoteLiteral(sorted)}])`;
  const texts = keys.map((key) => `CAST(any_value(${key}) AS VARCHAR)`);
  const parts = await engine.run(
    `SELECT ${number}, ${texts.join(', ')} FROM ${source} GROUP BY ${number} ORDER BY 1 LIMIT ${MAX_PARTITIONS + 1}`,
  );
  if (parts.length > MAX_PARTITIONS) {
    throw new DataError(
      'SCHEMA_MISMATCH',
      `The rows have more than ${MAX_PARTITIONS} partitions; choose coarser ones.`,
    );
  }
  for (const [n, ...values] of parts as [unknown, ...(string | null)[]][]) {
    const path = file();
    const own = `SELECT * EXCLUDE (${[number, ...keys].join(', ')}) FROM ${source} WHERE ${number} = ${Number(n)}`;
    const written = await writeRows(engine, own, format, path);
    const partition = Object.fromEntries(partitionBy.map((name, i) => [name, values[i]!]));
    yield { ...written, folder: folderOf(partition), partition, path };
  }
}

function folderOf(partition: Record<string, string | null>): string {
  const parts = Object.entries(partition).map(
    ([name, value]) => `${escaped(name)}=${value === null ? NO_VALUE : escaped(value)}/`,
  );
  return parts.join('');
}

/** Escapes a value so that it stays one part of the path and no two values share a path. */
function escaped(text: string): string {
  if (text === '') return '%00';
  // NUL as modified UTF-8 encodes it, for programs that end texts with it.
  if (text === '\0') return '%C0%80';
  if (text === NO_VALUE) return text.replace('_', '%5F');
  return encodeURIComponent(text.toWellFormed()).replace(
    /[!'()*.]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function rejectOtherColumns(columns: readonly DatasetColumn[], partitionBy: readonly string[]): void {
  for (const name of partitionBy) {
    const type = columns.find((column) => column.name === name)?.type;
    if (type === undefined) throw new DataError('SCHEMA_MISMATCH', `There is no column ${name} to partition by.`);
    if (!PARTING.test(type)) {
      throw new DataError('SCHEMA_MISMATCH', `The column ${name} of type ${type} cannot be used to partition rows.`);
    }
  }
  if (partitionBy.length === columns.length) {
    throw new DataError('SCHEMA_MISMATCH', 'The rows have no columns besides those to partition by.');
  }
}
