import { rm } from 'node:fs/promises';
import { EngineError } from '../engine/engine-error.ts';
import { readFileForm, readFileStats } from './file-stats.ts';
import { type LoadBench, parquetFile } from './load-bench.ts';
import { MOST_PARTITIONS, type PartitionBy, partitionCondition, partitionExpression } from './partition.ts';
import type { DataFile, DatasetColumn } from './record.ts';

/** Stores the rows of a statement of ours as files of the dataset: one, or one for each partition. None for no rows. */
export async function writeFiles(
  bench: LoadBench,
  sql: string,
  columns: readonly DatasetColumn[],
  partitionBy: PartitionBy | null,
): Promise<DataFile[]> {
  if (!partitionBy) return writeFile(bench, sql, columns);
  const expression = partitionExpression(columns, partitionBy);
  const path = bench.scratchFile();
  try {
    // Sorted, so that the rows of one partition lie together and reading it skips the rest.
    await bench.engine.copyToParquet(`SELECT * FROM (${sql}) ORDER BY ${expression}`, { path });
    const values = await bench.engine.run(
      `SELECT DISTINCT ${expression} AS v FROM ${parquetFile(path)} ORDER BY v LIMIT ${MOST_PARTITIONS + 1}`,
    );
    if (values.length > MOST_PARTITIONS) {
      const message = `The rows have more than ${MOST_PARTITIONS} partitions by ${partitionBy.column}; choose a coarser one.`;
      throw new EngineError('SCHEMA_MISMATCH', message);
    }
    const files: DataFile[] = [];
    for (const [value] of values as [string | null][]) {
      const condition = partitionCondition(columns, partitionBy, value);
      const part = `SELECT * FROM ${parquetFile(path)} WHERE ${condition}`;
      for (const file of await writeFile(bench, part, columns, partitionBy)) files.push({ ...file, partition: value });
    }
    return files;
  } finally {
    await rm(path, { force: true });
  }
}

async function writeFile(
  bench: LoadBench,
  sql: string,
  columns: readonly DatasetColumn[],
  partitionBy?: PartitionBy,
): Promise<DataFile[]> {
  const path = bench.scratchFile();
  const { rows, bytes } = await bench.engine.copyToParquet(sql, { path });
  if (rows === 0) {
    await rm(path, { force: true });
    return [];
  }
  return [await storeFile(bench, path, { rows, bytes, columns }, partitionBy)];
}

/** Stores a local Parquet file, which moves into the cache. */
export async function storeFile(
  bench: LoadBench,
  path: string,
  written: { rows: number; bytes: number; columns: readonly DatasetColumn[] },
  partitionBy?: PartitionBy,
): Promise<DataFile> {
  const stats = await readFileStats(bench.engine, path, written.columns, partitionBy ? [partitionBy.column] : []);
  const form = await readFileForm(bench.engine, path);
  const key = bench.nextKey();
  await bench.objects.upload(key, path);
  await bench.cache.adopt({ key }, path);
  return { key, rows: written.rows, sizeBytes: written.bytes, stats, form };
}
