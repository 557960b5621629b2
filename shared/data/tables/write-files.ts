import { rm } from 'node:fs/promises';
import { DataError } from '../../platform/errors/data-error.ts';
import type { EngineParameters } from '../duckdb/parameters.ts';
import { quoteIdentifier } from '../duckdb/quoting.ts';
import { uploadCopy } from './copy-upload.ts';
import type { DataFile, DatasetColumn } from './data-file.ts';
import { readFileForm, readFileStats, writtenFileStats } from './file-stats.ts';
import { type LoadContext, parquetFile } from './load-context.ts';
import { MAX_PARTITIONS, type PartitionBy, partitionExpression, partitionRange } from './partition.ts';

/**
 * Stores the rows of an internal statement as files of the dataset: one, or one per partition; none if there are no
 * rows.
 */
export async function writeFiles(
  context: LoadContext,
  sql: string,
  columns: readonly DatasetColumn[],
  partitionBy: PartitionBy | null,
): Promise<DataFile[]> {
  if (!partitionBy) return writeFile(context, { sql }, columns);
  const expression = partitionExpression(columns, partitionBy);
  const path = context.scratchFile();
  try {
    // Sorted, so that the rows of a partition are adjacent and reading it skips the rest.
    const { rows } = await context.engine.copyToParquet(`SELECT * FROM (${sql}) ORDER BY ${expression}`, { path });
    const column = quoteIdentifier(partitionBy.column);
    const parts = await context.engine.run(
      `SELECT ${expression}, CAST(min(${column}) AS VARCHAR), CAST(max(${column}) AS VARCHAR) FROM ${parquetFile(path)}
       GROUP BY 1 ORDER BY 1 LIMIT ${MAX_PARTITIONS + 1}`,
    );
    if (parts.length > MAX_PARTITIONS) {
      const message = `The rows have more than ${MAX_PARTITIONS} partitions by ${partitionBy.column}; choose a coarser one.`;
      throw new DataError('SCHEMA_MISMATCH', message);
    }
    const files: DataFile[] = [];
    for (const [value, ...range] of parts as [string | null, string, string][]) {
      const condition = value === null ? `${column} IS NULL` : partitionRange(columns, partitionBy);
      const part = {
        sql: `SELECT * FROM ${parquetFile(path)} WHERE ${condition}`,
        params: value === null ? [] : range,
      };
      for (const file of await writeFile(context, part, columns, partitionBy))
        files.push({ ...file, partition: value });
    }
    rejectOtherRows(files, rows);
    return files;
  } finally {
    await rm(path, { force: true });
  }
}

/** A load must not commit if its files do not have exactly the rows that it was to write. */
export function rejectOtherRows(files: readonly DataFile[], expected: number): void {
  const rows = rowsOf(files);
  if (rows !== expected) throw new Error(`The files of the load have ${rows} rows instead of ${expected}.`);
}

const rowsOf = (files: readonly DataFile[]): number => files.reduce((sum, { rows }) => sum + rows, 0);

async function writeFile(
  context: LoadContext,
  { sql, params = [] }: { sql: string; params?: EngineParameters },
  columns: readonly DatasetColumn[],
  partitionBy?: PartitionBy,
): Promise<DataFile[]> {
  const path = context.scratchFile();
  const key = context.nextKey();
  const upload = uploadCopy(context.engine, context.objects, key, path);
  try {
    const written = await context.engine.copyToParquet(sql, { params, path, withBounds: true });
    const { rows, bytes } = written;
    if (rows === 0) {
      await rm(path, { force: true });
      return [];
    }
    const additional = partitionBy ? [partitionBy.column] : [];
    const stats =
      writtenFileStats(written, columns, additional) ??
      (await readFileStats(context.engine, path, columns, additional));
    const form = await readFileForm(context.engine, path);
    await upload.finish();
    await context.cache.adopt({ key }, path);
    return [{ key, rows, sizeBytes: bytes, stats, form }];
  } finally {
    await upload.abandon();
  }
}

/** Stores a local Parquet file and moves it into the cache. */
export async function storeFile(
  context: LoadContext,
  path: string,
  { rows, bytes, columns }: { rows: number; bytes: number; columns: readonly DatasetColumn[] },
): Promise<DataFile> {
  const stats = await readFileStats(context.engine, path, columns);
  const form = await readFileForm(context.engine, path);
  const key = context.nextKey();
  await context.objects.upload(key, path);
  await context.cache.adopt({ key }, path);
  return { key, rows, sizeBytes: bytes, stats, form };
}
