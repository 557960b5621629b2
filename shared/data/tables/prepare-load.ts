import { DataError } from '../../platform/errors/data-error.ts';
import { type ColumnUnion, columnsAfter, type Evolution } from './column-union.ts';
import { compacted, withEveryColumn } from './compact-files.ts';
import { SMALL_FILE_BYTES } from './compaction.ts';
import { bytesOf, type DataFile, type DatasetColumn } from './data-file.ts';
import { readFileForm, readFileStats } from './file-stats.ts';
import { allColumns, attachFiles, convertedRows, type LoadContext, storedOnce } from './load-context.ts';
import { filesWithKeys, type MergeRule, rejectOtherKey, uniqueRows } from './merge-rows.ts';
import { mergedRows, rejectOtherHistory, storedColumns } from './merge-strategies.ts';
import { partsOf, withoutParts } from './overwrite-partitions.ts';
import type { PartitionBy } from './partition.ts';
import type { SchemaChange } from './schema-change.ts';
import { fitValueless } from './valueless-columns.ts';
import { rejectOtherRows, writeFiles } from './write-files.ts';

/** The rows to load. */
export interface LoadBatch {
  columns: DatasetColumn[];
  /** Whether its files have different types for one column. */
  isMixed?: boolean;
  rows: number;
  bytes: number;
  /** Local Parquet files with the rows. */
  paths(): Promise<string[]>;
  /** Stores the rows unchanged as files of the dataset. Files without rows are left out. */
  store(): Promise<DataFile[]>;
}

export type LoadHow = (
  | { mode: 'append' }
  /** `partition` replaces the partitions for which the batch has rows. */
  | { mode: 'overwrite'; scope?: 'table' | 'partition' }
  | ({ mode: 'merge' } & MergeRule)
) & {
  /** Defaults to `evolve`. */
  onSchemaChange?: Evolution;
};

/** The result of a load: stored, but not visible before it commits. */
export interface Prepared {
  /** New files and those of the current version that remain. */
  kept: readonly DataFile[];
  added: DataFile[];
  columns: DatasetColumn[];
  rowsLoaded: number;
  bytesLoaded: number;
  schemaChanges: SchemaChange[];
}

/**
 * Computes the content of a dataset after a load. Columns that one side lacks are null there, and types widen, unless
 * `onSchemaChange` prevents it. Small files are combined once there are many. Throws SCHEMA_MISMATCH for rows that do
 * not fit.
 */
export async function prepareLoad(
  context: LoadContext,
  batch: LoadBatch,
  current: { files: readonly DataFile[]; columns: readonly DatasetColumn[] } | undefined,
  how: LoadHow,
  partitionBy: PartitionBy | null,
): Promise<Prepared> {
  if (batch.columns.length === 0) throw new DataError('SCHEMA_MISMATCH', 'The input has no columns.');
  const replaces = how.mode === 'overwrite' && how.scope !== 'partition';
  const files = replaces ? [] : (current?.files ?? []);
  const brought = how.mode === 'merge' ? storedColumns(batch.columns, how) : batch.columns;
  if (how.mode === 'merge' && files.length > 0) {
    rejectOtherHistory(current!.columns, how);
    rejectOtherKey(current!.columns, how);
  }
  const before = current?.columns ?? [];
  const fitted = await fitValueless(context.engine, 'input', { current: before, incoming: brought }, () =>
    attachInput(context, batch),
  );
  const union = columnsAfter(before, fitted.columns, { ...how, replaces, valueless: fitted.valueless });
  if (batch.rows === 0 && files.length > 0) {
    return { kept: files, added: [], columns: [...current!.columns], rowsLoaded: 0, bytesLoaded: 0, schemaChanges: [] };
  }
  const prepared = await contentOf(context, batch, { files, union, partitionBy }, how);
  const complete = await withEveryColumn(context, files, prepared, partitionBy);
  return { ...prepared, ...(await compacted(context, complete, partitionBy)), schemaChanges: union.changes };
}

type Loaded = Omit<Prepared, 'schemaChanges'>;

async function contentOf(context: LoadContext, batch: LoadBatch, target: Target, how: LoadHow): Promise<Loaded> {
  if (how.mode === 'merge') return merge(context, batch, target, how);
  const { union, partitionBy } = target;
  if (how.mode === 'overwrite' && how.scope === 'partition') return overwriteParts(context, batch, target);
  const kept = await widen(context, target);
  const added = canStoreUnchanged(batch, target)
    ? await storeUnchanged(context, batch)
    : await storedOnce(context, JSON.stringify([union, partitionBy]), async () =>
        writeFiles(
          context,
          await allColumns(context, await openInput(context, batch, union), union.columns),
          union.columns,
          partitionBy,
        ),
      );
  return { ...loadedOf(batch, added, union), kept: kept.kept, added: [...kept.added, ...added] };
}

const storeUnchanged = (context: LoadContext, batch: LoadBatch): Promise<DataFile[]> =>
  storedOnce(context, 'unchanged', () => batch.store());

function loadedOf(batch: LoadBatch, added: readonly DataFile[], { columns }: ColumnUnion) {
  rejectOtherRows(added, batch.rows);
  return { rowsLoaded: batch.rows, bytesLoaded: bytesOf(added), columns };
}

/** Replaces the partitions for which the batch has rows. Files of other partitions stay as they are. */
async function overwriteParts(context: LoadContext, batch: LoadBatch, target: Target): Promise<Loaded> {
  const { union, partitionBy } = target;
  if (!partitionBy) {
    const message = 'The dataset has no partitions to replace; set its partitionBy or use scope table.';
    throw new DataError('SCHEMA_MISMATCH', message);
  }
  const rows = await allColumns(context, await openInput(context, batch, union), union.columns);
  const parts = await partsOf(context, rows, union.columns, partitionBy);
  const others = await withoutParts(context, await widen(context, target), union.columns, parts);
  const rest = others.rows ? await writeFiles(context, others.rows, union.columns, partitionBy) : [];
  const added = await writeFiles(context, rows, union.columns, partitionBy);
  return { ...loadedOf(batch, added, union), kept: others.kept, added: [...others.added, ...rest, ...added] };
}

interface Target {
  /** Files of the version on which the load is based. */
  files: readonly DataFile[];
  union: ColumnUnion;
  partitionBy: PartitionBy | null;
}

/** Whether the files of the batch can be stored unchanged. */
function canStoreUnchanged(batch: LoadBatch, { files, union, partitionBy }: Target): boolean {
  if (partitionBy || batch.isMixed || union.converted.length > 0) return false;
  const stored = new Set(union.columns.map(({ name }) => name));
  if (!batch.columns.every(({ name }) => stored.has(name))) return false;
  // A column must be in at least one file to be readable.
  return files.length > 0 || union.columns.length === batch.columns.length;
}

async function attachInput({ engine }: LoadContext, batch: LoadBatch): Promise<void> {
  await engine.attach('input', await batch.paths(), { emptySchema: batch.columns });
}

async function openInput(context: LoadContext, batch: LoadBatch, union: ColumnUnion): Promise<string> {
  await attachInput(context, batch);
  return convertedRows(context, 'input', union.converted, union.columns, union);
}

/** Rewrites files whose values are converted to another type. */
async function widen(
  context: LoadContext,
  { files, union, partitionBy }: Target,
): Promise<Pick<Prepared, 'kept' | 'added'>> {
  if (union.widened.length === 0 || files.length === 0) return { kept: files, added: [] };
  await attachFiles(context, 'current', files, union.columns);
  const rows = await convertedRows(context, 'current', union.widened, union.columns);
  return {
    kept: [],
    added: await writeFiles(context, await allColumns(context, rows, union.columns), union.columns, partitionBy),
  };
}

/**
 * Merges by key. Files without any of the keys stay as they are. The others are rewritten, together with the batch, or
 * beside it if its own file can be stored unchanged and is not small enough to be combined later.
 */
async function merge(context: LoadContext, batch: LoadBatch, target: Target, rule: MergeRule): Promise<Loaded> {
  const { files, union, partitionBy } = target;
  const { columns } = union;
  const input = await openInput(context, batch, union);
  const unique = await uniqueRows(context, input, batch.rows, batch.columns, rule);
  const loaded = { rowsLoaded: batch.rows - unique.repeated, bytesLoaded: batch.bytes, columns };
  const plain = rule.deleteColumn === undefined && rule.strategy !== 'scd2';
  const touched = union.widened.length > 0 ? files : await filesWithKeys(context, input, files, rule);
  const kept = files.filter((file) => !touched.includes(file));
  if (touched.length === 0 && unique.repeated === 0 && plain && canStoreUnchanged(batch, target)) {
    return { ...loaded, kept, added: await storeUnchanged(context, batch) };
  }
  let old: string | undefined;
  if (touched.length > 0) {
    await attachFiles(context, 'current', touched, columns);
    // Columns that the batch adds are compared, too.
    const rows = await convertedRows(context, 'current', union.widened, columns);
    old = `(${await allColumns(context, rows, columns)})`;
  }
  const merged = await mergedRows(context, { unique: unique.sql, input, old, columns }, rule);
  // Widened values are rewritten even if no row is removed.
  const replaced = merged.replaced ?? (union.widened.length > 0 && old ? `SELECT * FROM ${old}` : undefined);
  const [path, ...others] = await batch.paths();
  const isWhole = plain && rule.strategy !== 'insert_only' && unique.repeated === 0 && canStoreUnchanged(batch, target);
  // It could be the only remaining file, which must have every column.
  const isFile = path !== undefined && others.length === 0 && columns.length === batch.columns.length;
  if (isWhole && isFile && batch.bytes >= SMALL_FILE_BYTES) {
    const rest = replaced && (await allColumns(context, `(${replaced})`, columns));
    const written = rest ? await writeFiles(context, rest, columns, partitionBy) : [];
    const stats = await readFileStats(context.engine, path, columns);
    const form = await readFileForm(context.engine, path);
    const stored = (await storeUnchanged(context, batch)).map((file) => ({ ...file, stats, form }));
    return { ...loaded, kept, added: [...written, ...stored] };
  }
  const parts = [...(replaced ? [replaced] : []), merged.added];
  const rows = await allColumns(context, `(${parts.join('\nUNION ALL BY NAME\n')})`, union.columns);
  const [[count] = []] =
    plain && rule.strategy !== 'insert_only' ? [] : await context.engine.run(`SELECT count(*) FROM (${merged.added})`);
  return {
    ...loaded,
    rowsLoaded: count === undefined ? loaded.rowsLoaded : Number(count),
    kept: replaced ? kept : files,
    added: await writeFiles(context, rows, columns, partitionBy),
  };
}
