import { engineTypeOf } from '../engine/column-types.ts';
import { EngineError } from '../engine/engine-error.ts';
import { quoteIdentifier } from '../engine/quoting.ts';
import { type ColumnUnion, unionColumns } from './column-union.ts';
import { bytesOf } from './commit.ts';
import { filesToCompact } from './compaction.ts';
import { attachFiles, convertedRows, type LoadBench } from './load-bench.ts';
import { filesWithKeys, type MergeRule, uniqueRows } from './merge-rows.ts';
import { mergedRows, refuseOtherHistory, storedColumns } from './merge-strategies.ts';
import type { PartitionBy } from './partition.ts';
import type { DataFile, DatasetColumn, Manifest } from './record.ts';
import { writeFiles } from './write-files.ts';

/** The rows to load. */
export interface LoadBatch {
  columns: DatasetColumn[];
  /** Its files have different types for one column. */
  isMixed?: boolean;
  rows: number;
  bytes: number;
  /** Local Parquet files with the rows. */
  paths(): Promise<string[]>;
  /** Stores the rows as files of the dataset as they are; files without rows are left out. */
  store(): Promise<DataFile[]>;
}

export type LoadHow = { mode: 'append' | 'overwrite' } | ({ mode: 'merge' } & MergeRule);

/** What a load puts into its dataset: stored, but not visible before it commits. */
export interface Prepared {
  /** Files of the current version that stay, and new ones. */
  kept: readonly DataFile[];
  added: DataFile[];
  columns: DatasetColumn[];
  rowsLoaded: number;
  bytesLoaded: number;
}

/**
 * Works out the content of a dataset after a load. Columns that one side lacks are null there, and types widen; so many
 * small files as have come together are joined in passing. Throws SCHEMA_MISMATCH for rows that do not fit.
 */
export async function prepareLoad(
  bench: LoadBench,
  batch: LoadBatch,
  current: Manifest | undefined,
  how: LoadHow,
  partitionBy: PartitionBy | null,
): Promise<Prepared> {
  if (batch.columns.length === 0) throw new EngineError('SCHEMA_MISMATCH', 'The input has no columns.');
  const before = how.mode === 'overwrite' ? undefined : current;
  const files = before?.files ?? [];
  if (batch.rows === 0 && files.length > 0) {
    return { kept: files, added: [], columns: before!.columns, rowsLoaded: 0, bytesLoaded: 0 };
  }
  const brought = how.mode === 'merge' ? storedColumns(batch.columns, how) : batch.columns;
  if (how.mode === 'merge' && files.length > 0) refuseOtherHistory(before!.columns, how);
  const union = unionColumns(before?.columns ?? [], brought);
  const target: Target = { files, union, partitionBy };
  if (how.mode === 'merge') return compacted(bench, await merge(bench, batch, target, how), partitionBy);

  const kept = await widen(bench, target);
  const added = isAsItIs(batch, target)
    ? await batch.store()
    : await writeFiles(
        bench,
        await allColumns(bench, await openInput(bench, batch, union), union),
        union.columns,
        partitionBy,
      );
  const loaded = { rowsLoaded: rowsOf(added), bytesLoaded: bytesOf(added), columns: union.columns };
  return compacted(bench, { ...loaded, kept: kept.kept, added: [...kept.added, ...added] }, partitionBy);
}

interface Target {
  /** Of the version that the load goes on top of. */
  files: readonly DataFile[];
  union: ColumnUnion;
  partitionBy: PartitionBy | null;
}

/** The files of the batch can be files of the dataset. */
function isAsItIs(batch: LoadBatch, { files, union, partitionBy }: Target): boolean {
  if (partitionBy || batch.isMixed || union.converted.length > 0) return false;
  // A column that no file has could not be read.
  return files.length > 0 || union.columns.length === batch.columns.length;
}

async function openInput(bench: LoadBench, batch: LoadBatch, union: ColumnUnion): Promise<string> {
  await bench.engine.attach('input', await batch.paths(), { emptySchema: batch.columns });
  return convertedRows(bench, 'input', union.converted, union.columns);
}

/** Files whose values take another type are written anew. */
async function widen(
  bench: LoadBench,
  { files, union, partitionBy }: Target,
): Promise<Pick<Prepared, 'kept' | 'added'>> {
  if (union.widened.length === 0 || files.length === 0) return { kept: files, added: [] };
  await attachFiles(bench, 'current', files, union.columns);
  const rows = await convertedRows(bench, 'current', union.widened, union.columns);
  return { kept: [], added: await writeFiles(bench, await allColumns(bench, rows, union), union.columns, partitionBy) };
}

/** Merges by the key: files without any of the keys stay as they are, the others are written anew with the batch. */
async function merge(bench: LoadBench, batch: LoadBatch, target: Target, rule: MergeRule): Promise<Prepared> {
  const { files, union, partitionBy } = target;
  const { columns } = union;
  const input = await openInput(bench, batch, union);
  const unique = await uniqueRows(bench, input, batch.rows, batch.columns, rule);
  const loaded = { rowsLoaded: batch.rows - unique.repeated, bytesLoaded: batch.bytes, columns };
  const plain = rule.deleteColumn === undefined && rule.strategy !== 'scd2';
  const touched = union.widened.length > 0 ? files : await filesWithKeys(bench, input, files, rule);
  const kept = files.filter((file) => !touched.includes(file));
  if (touched.length === 0 && unique.repeated === 0 && plain && isAsItIs(batch, target)) {
    return { ...loaded, kept, added: await batch.store() };
  }
  let old: string | undefined;
  if (touched.length > 0) {
    await attachFiles(bench, 'current', touched, columns);
    old = await convertedRows(bench, 'current', union.widened, columns);
  }
  const merged = await mergedRows(bench, { unique: unique.sql, input, old, columns }, rule);
  // Widened values are written anew even where no row goes.
  const replaced = merged.replaced ?? (union.widened.length > 0 && old ? `SELECT * FROM ${old}` : undefined);
  const parts = [...(replaced ? [replaced] : []), merged.added];
  const rows = await allColumns(bench, `(${parts.join('\nUNION ALL BY NAME\n')})`, union);
  const [[count] = []] =
    plain && rule.strategy !== 'insert_only' ? [] : await bench.engine.run(`SELECT count(*) FROM (${merged.added})`);
  return {
    ...loaded,
    rowsLoaded: count === undefined ? loaded.rowsLoaded : Number(count),
    kept: replaced ? kept : files,
    added: await writeFiles(bench, rows, columns, partitionBy),
  };
}

async function compacted(bench: LoadBench, prepared: Prepared, partitionBy: PartitionBy | null): Promise<Prepared> {
  const { columns } = prepared;
  let { kept, added } = prepared;
  for (const group of filesToCompact(kept)) {
    await attachFiles(bench, 'small', group, columns);
    const rows = await allColumns(bench, 'small', { columns });
    kept = kept.filter((file) => !group.includes(file));
    added = [...added, ...(await writeFiles(bench, rows, columns, partitionBy))];
  }
  return { ...prepared, kept, added };
}

/** The rows of a relation with every column of the dataset, null where the relation lacks one. */
async function allColumns(
  { engine }: LoadBench,
  relation: string,
  { columns }: Pick<ColumnUnion, 'columns'>,
): Promise<string> {
  const present = new Set((await engine.describe(`SELECT * FROM ${relation}`)).map(({ name }) => name));
  const list = columns.map(({ name, type }) =>
    present.has(name) ? quoteIdentifier(name) : `CAST(NULL AS ${engineTypeOf(type)}) AS ${quoteIdentifier(name)}`,
  );
  return `SELECT ${list.join(', ')} FROM ${relation}`;
}

const rowsOf = (files: readonly DataFile[]) => files.reduce((sum, { rows }) => sum + rows, 0);
