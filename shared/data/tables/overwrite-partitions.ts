import { folded } from '../duckdb/column-names.ts';
import { quoteIdentifier } from '../duckdb/quoting.ts';
import type { DataFile, DatasetColumn } from './data-file.ts';
import { allColumns, attachFiles, type LoadContext, rowsWithPath } from './load-context.ts';
import { type PartitionBy, partitionExpression } from './partition.ts';
import { type ColumnPredicate, filesFor } from './prune.ts';

/** The partitions of some rows. */
export interface Parts {
  column: string;
  /** A condition that is true for rows in one of the partitions. */
  condition: string;
  /** One condition for each partition, to compare with the bounds of files. */
  predicates: ColumnPredicate[][];
}

/** Stores the partitions of a statement's rows in the table `parts`. */
export async function partsOf(
  { engine }: LoadContext,
  rows: string,
  columns: readonly DatasetColumn[],
  partitionBy: PartitionBy,
): Promise<Parts> {
  const expression = partitionExpression(columns, partitionBy);
  await engine.run(`CREATE OR REPLACE TEMP TABLE parts AS SELECT DISTINCT ${expression} AS part FROM (${rows})`);
  const { column, by } = partitionBy;
  const { type } = columns.find(({ name }) => name === column)!;
  // Infinity has no next month, so nothing is known about the rows after it.
  const end = by
    ? `CASE WHEN isfinite(CAST(part AS ${type})) THEN TRY(CAST(CAST(part AS ${type}) + INTERVAL 1 ${by} AS ${type})) END`
    : 'part';
  const found = await engine.run(`SELECT part, CAST(${end} AS VARCHAR) FROM parts`);
  return {
    column,
    // Rows without a value form a partition, too.
    condition: `CASE WHEN ${expression} IS NULL THEN EXISTS (SELECT 1 FROM parts WHERE part IS NULL)
      ELSE ${expression} IN (SELECT part FROM parts WHERE part IS NOT NULL) END`,
    predicates: (found as [string | null, string | null][]).map(([value, next]) => {
      if (value === null) return [{ column, op: 'is_null' }];
      if (!by) return [{ column, op: 'eq', value }];
      const from: ColumnPredicate = { column, op: 'gte', value };
      return next === null ? [from] : [from, { column, op: 'lt', value: next }];
    }),
  };
}

/**
 * Removes the rows of some partitions: files without such rows stay, files with no other rows are removed, and the
 * other rows of the remaining files are returned as a statement. The partition for which a file was written is ignored,
 * because the rule may have changed since.
 */
export async function withoutParts(
  context: LoadContext,
  content: { kept: readonly DataFile[]; added: readonly DataFile[] },
  columns: readonly DatasetColumn[],
  parts: Parts,
): Promise<{ kept: DataFile[]; added: DataFile[]; rows: string | undefined }> {
  const files = [...content.kept, ...content.added];
  const mayHold = new Set(parts.predicates.flatMap((each) => filesFor({ files, columns: [...columns] }, each)));
  const candidates = files.filter((file) => mayHold.has(file));
  const gone = new Set<DataFile>();
  const parted: DataFile[] = [];
  for (const [file, inside] of await countInside(context, candidates, parts)) {
    if (inside === 0) continue;
    gone.add(file);
    if (inside < file.rows) parted.push(file);
  }
  if (parted.length > 0) await attachFiles(context, 'parted', parted, columns);
  const rest = parted.length > 0 ? await allColumns(context, 'parted', columns) : undefined;
  return {
    kept: content.kept.filter((file) => !gone.has(file)),
    added: content.added.filter((file) => !gone.has(file)),
    rows: rest && `SELECT * FROM (${rest}) WHERE NOT ${parts.condition}`,
  };
}

async function countInside(
  { engine, cache }: LoadContext,
  files: readonly DataFile[],
  { condition, column }: Parts,
): Promise<[DataFile, number][]> {
  if (files.length === 0) return [];
  const paths = await cache.fetchAll(files);
  const { rows: source, path, columns } = await rowsWithPath(engine, paths);
  // A column that the batch adds is null in all files.
  const isThere = columns.some(({ name }) => folded(name) === folded(column));
  const rows = isThere ? source : `(SELECT *, NULL AS ${quoteIdentifier(column)} FROM ${source})`;
  const counts = await engine.run(`SELECT ${path}, count(*) FROM ${rows} WHERE ${condition} GROUP BY ALL`);
  const inside = new Map(counts.map(([file, count]) => [file as string, Number(count)]));
  return files.map((file, i) => [file, inside.get(paths[i]!) ?? 0]);
}
