import { filesToCompact } from './compaction.ts';
import type { DataFile, DatasetColumn } from './data-file.ts';
import { allColumns, attachFiles, type LoadContext } from './load-context.ts';
import type { PartitionBy } from './partition.ts';
import { writeFiles } from './write-files.ts';

/** The content of a dataset after a load. */
interface Content {
  kept: readonly DataFile[];
  added: DataFile[];
  columns: DatasetColumn[];
}

/**
 * If files are removed and none is added, a column may have been in no other file and would be missing from the rows.
 * One file is then rewritten with every column.
 */
export async function withEveryColumn(
  context: LoadContext,
  before: readonly DataFile[],
  content: Content,
  partitionBy: PartitionBy | null,
): Promise<Content> {
  const { kept, added, columns } = content;
  if (added.length > 0 || kept.length === 0 || kept.length === before.length) return content;
  await attachFiles(context, 'kept', kept, columns);
  const present = new Set((await context.engine.describe('SELECT * FROM kept')).map(({ name }) => name));
  if (columns.every(({ name }) => present.has(name))) return content;
  const smallest = kept.reduce((one, other) => (other.sizeBytes < one.sizeBytes ? other : one));
  await attachFiles(context, 'carrier', [smallest], columns);
  const rows = await allColumns(context, 'carrier', columns);
  return {
    ...content,
    kept: kept.filter((file) => file !== smallest),
    added: await writeFiles(context, rows, columns, partitionBy),
  };
}

/** Combines small files once there are many. */
export async function compacted(
  context: LoadContext,
  content: Content,
  partitionBy: PartitionBy | null,
): Promise<Content> {
  const { columns } = content;
  let { kept, added } = content;
  for (const group of filesToCompact(kept)) {
    await attachFiles(context, 'small', group, columns);
    const rows = await allColumns(context, 'small', columns);
    kept = kept.filter((file) => !group.includes(file));
    added = [...added, ...(await writeFiles(context, rows, columns, partitionBy))];
  }
  return { ...content, kept, added };
}
