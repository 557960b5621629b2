import { DataError } from '../../platform/errors/data-error.ts';
import { folded } from '../duckdb/column-names.ts';
import { quoteIdentifier } from '../duckdb/quoting.ts';
import type { DataFile, DatasetColumn } from './data-file.ts';
import { type LoadContext, rowsWithPath } from './load-context.ts';
import { missingKey, nullCounts } from './missing-key.ts';
import { repeatedKeys } from './repeated-keys.ts';

export const MERGE_STRATEGIES = ['upsert', 'delete_insert', 'insert_only', 'scd2'] as const;

export interface MergeRule {
  mergeKey: readonly string[];
  /** Defaults to `upsert`. */
  strategy?: (typeof MERGE_STRATEGIES)[number];
  /** A boolean column of the batch that marks keys to delete. It is not stored. */
  deleteColumn?: string;
  /** For `scd2`: the instant from which the rows of the batch are valid, the same for a repeated load. */
  validFrom?: string;
  /** Of several rows with the same key, the first in this order is kept. */
  dedupeOrderBy?: readonly { column: string; direction?: 'asc' | 'desc' }[];
}

/** The rows of the table `input` with each key once, as a statement. `repeated` rows are left out. */
export async function uniqueRows(
  { engine }: LoadContext,
  input: string,
  rows: number,
  columns: readonly DatasetColumn[],
  rule: MergeRule,
): Promise<{ sql: string; repeated: number }> {
  const missing = rule.mergeKey.find((name) => !columns.some((column) => column.name === name));
  if (missing) {
    throw new DataError('SCHEMA_MISMATCH', `The merge key ${missing} is not a column of the rows to load.`);
  }
  rejectUnknownOrder(columns, rule);
  const { nulls, repeated, from, isRepeated } = await repeatedKeys(engine, input, rows, rule.mergeKey);
  if (nulls > 0) {
    const [found = []] = await engine.run(`SELECT ${nullCounts(rule.mergeKey.map(quoteIdentifier))} FROM ${input}`);
    throw missingKey(`${nulls} of ${rows}`, rule.mergeKey, found);
  }
  if (repeated === 0 || rule.strategy === 'delete_insert') return { sql: `SELECT * FROM ${input}`, repeated: 0 };
  if (!rule.dedupeOrderBy) {
    const message = `${repeated} rows repeat a merge key, and without dedupeOrderBy the one to keep is undefined.`;
    throw new DataError('SCHEMA_MISMATCH', message);
  }
  const order = rule.dedupeOrderBy.map(
    ({ column, direction }) => `${quoteIdentifier(column)} ${direction === 'desc' ? 'DESC' : 'ASC'} NULLS LAST`,
  );
  // Only rows with a repeated key are ranked, because ranking all rows would take most of the time.
  const sql = `SELECT * FROM ${from} ANTI JOIN ${isRepeated}
    UNION ALL BY NAME
    SELECT * FROM ${from} SEMI JOIN ${isRepeated}
    QUALIFY row_number() OVER (PARTITION BY ${keysOf(rule)} ORDER BY ${order.join(', ')}) = 1`;
  return { sql, repeated };
}

/** Rows of a dataset without a column of the key cannot be matched. Throws SCHEMA_MISMATCH. */
export function rejectOtherKey(columns: readonly DatasetColumn[], { mergeKey }: MergeRule): void {
  const names = new Set(columns.map(({ name }) => folded(name)));
  const missing = mergeKey.find((name) => !names.has(folded(name)));
  if (missing === undefined) return;
  throw new DataError(
    'SCHEMA_MISMATCH',
    `The dataset has rows without the merge key, because it has no column ${missing}.`,
  );
}

/** Checked for every load, not only if a key repeats, because any batch may need the order. Throws SCHEMA_MISMATCH. */
export function rejectUnknownOrder(
  columns: readonly { name: string }[],
  { dedupeOrderBy = [] }: Pick<MergeRule, 'dedupeOrderBy'>,
  spelled = folded,
): void {
  const names = new Set(columns.map(({ name }) => spelled(name)));
  const unknown = dedupeOrderBy.find(({ column }) => !names.has(spelled(column)));
  if (unknown) throw new DataError('SCHEMA_MISMATCH', `There is no column ${unknown.column} to order by.`);
}

/** The files that have rows with a key of the input. Only these are rewritten. */
export async function filesWithKeys(
  { engine, cache }: LoadContext,
  input: string,
  files: readonly DataFile[],
  rule: MergeRule,
): Promise<DataFile[]> {
  if (files.length === 0) return [];
  const paths = await cache.fetchAll(files);
  const { rows, path } = await rowsWithPath(engine, paths);
  const found = await engine.run(`SELECT DISTINCT f.${path} FROM ${rows} f SEMI JOIN ${input} USING (${keysOf(rule)})`);
  const touched = new Set(found.flat());
  return files.filter((_file, index) => touched.has(paths[index]!));
}

export const keysOf = ({ mergeKey }: MergeRule): string => mergeKey.map(quoteIdentifier).join(', ');
