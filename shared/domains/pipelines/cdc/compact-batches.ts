import { stat } from 'node:fs/promises';
import type { Engine } from '../../../data/duckdb/engine.ts';
import { csvTable } from '../../../data/duckdb/exact-csv.ts';
import { quoteLiteral } from '../../../data/duckdb/quoting.ts';
import type { ObjectStore } from '../../../platform/objects/object-store.ts';
import { type Batch, type ChangeFile, LINE_HEAD } from './change-log.ts';

export interface CompactionContext {
  engine: Engine;
  objects: Pick<ObjectStore, 'upload'>;
  /** Local copies of objects. */
  localCopies(files: readonly { key: string }[]): Promise<string[]>;
}

/** The content of several batches after compaction. */
export interface Compacted {
  files: ChangeFile[];
  truncated: string[];
}

/**
 * Combines the files of several batches into few, with only the newest change of each row and the newest truncation of
 * each table. Rows from before the truncation keep their keys, by which later readers know what to delete. Lines keep
 * their numbers, so a reader that has read some of the batches can read the rest. The engine treats all values as
 * texts.
 */
export async function compactBatches(
  context: CompactionContext,
  batches: readonly Batch[],
  prefix: string,
): Promise<Compacted> {
  const groups = new Map<string, ChangeFile[]>();
  for (const file of batches.flatMap(({ files }) => files)) {
    const shape = JSON.stringify([file.table, file.columns, file.rowKey]);
    // The newest shape stays last: readers take the columns of the last file.
    const group = groups.get(shape) ?? [];
    groups.delete(shape);
    groups.set(shape, [...group, file]);
  }
  const files: ChangeFile[] = [];
  for (const group of groups.values()) {
    files.push(await compactFiles(context, group, `${prefix}${files.length + 1}.csv`));
  }
  return { files, truncated: [...new Set(batches.flatMap(({ truncated }) => truncated))] };
}

async function compactFiles(
  { engine, objects, localCopies }: CompactionContext,
  group: readonly ChangeFile[],
  key: string,
): Promise<ChangeFile> {
  const { columns, rowKey } = group[0]!;
  const cells = columns.map((_, i) => `c${LINE_HEAD.length + i}`);
  const keys = cells.filter((_, i) => rowKey === null || rowKey.includes(columns[i]!.name));
  const path = engine.temporaryPath('csv');
  const position = 'c0::BIGINT * 4294967296 + c1::BIGINT';
  const values = cells.map((cell) =>
    keys.includes(cell) ? cell : `CASE WHEN position >= truncation OR truncation IS NULL THEN ${cell} END AS ${cell}`,
  );
  const lines = await csvTable(await localCopies(group), LINE_HEAD.length + cells.length);
  const [[rows] = []] = await engine.run(`
    COPY (
      WITH lines AS (SELECT *, ${position} AS position FROM ${lines}),
      newest AS (
        SELECT *, max(position) FILTER (c2 = 't') OVER () AS truncation FROM lines
        QUALIFY row_number() OVER (PARTITION BY c2 = 't', ${keys.join(', ')} ORDER BY position DESC) = 1)
      SELECT c0, c1, c2, c3, c4, ${values.join(', ')} FROM newest ORDER BY position
    ) TO ${quoteLiteral(path)} (FORMAT csv, HEADER false, FORCE_QUOTE (${cells.join(', ')}), NULLSTR '')`);
  const { size } = await stat(path);
  await objects.upload(key, path, 'text/csv');
  return { table: group[0]!.table, key, rows: Number(rows), bytes: size, columns, rowKey };
}
