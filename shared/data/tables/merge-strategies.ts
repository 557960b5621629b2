import { DataError } from '../../platform/errors/data-error.ts';
import { folded } from '../duckdb/column-names.ts';
import { quoteIdentifier, quoteLiteral } from '../duckdb/quoting.ts';
import type { DatasetColumn } from './data-file.ts';
import type { LoadContext } from './load-context.ts';
import { keysOf, type MergeRule } from './merge-rows.ts';

/** The columns of a history (`scd2`): from when and until when a row is valid, and whether it is current. */
export const HISTORY_COLUMNS: readonly DatasetColumn[] = [
  { name: '_valid_from', type: 'timestamptz' },
  { name: '_valid_to', type: 'timestamptz' },
  { name: '_is_current', type: 'boolean' },
];

export interface Merging {
  /** Rows to load, as a statement; each key once unless the strategy allows several. */
  unique: string;
  /** The same rows as a table. */
  input: string;
  /** Rows of the files that have keys of the batch; undefined if there are none. */
  old: string | undefined;
  columns: readonly DatasetColumn[];
}

export interface Merged {
  /** The rows that replace `old`; undefined if its files can stay. */
  replaced: string | undefined;
  added: string;
}

/** The rows after a merge, as statements. */
export async function mergedRows(context: LoadContext, merging: Merging, rule: MergeRule): Promise<Merged> {
  const keys = keysOf(rule);
  const { old, input } = merging;
  const kept = rule.deleteColumn
    ? `SELECT * FROM (${merging.unique}) WHERE ${quoteIdentifier(rule.deleteColumn)} IS NOT TRUE`
    : merging.unique;
  if (rule.strategy === 'scd2') return history(context, merging, kept, rule);
  if (rule.strategy === 'insert_only') {
    return { replaced: undefined, added: old ? `SELECT * FROM (${kept}) ANTI JOIN ${old} USING (${keys})` : kept };
  }
  return { replaced: old && `SELECT * FROM ${old} ANTI JOIN ${input} USING (${keys})`, added: kept };
}

/**
 * Closes rows that changed and adds their new state; unchanged rows stay. If a batch is older than the row that it
 * changes, the new row becomes valid right after that row began, so that no row ends before it begins.
 */
async function history(
  { engine }: LoadContext,
  { unique, old, columns }: Merging,
  kept: string,
  rule: MergeRule,
): Promise<Merged> {
  const at = `${quoteLiteral(rule.validFrom!)}::TIMESTAMPTZ`;
  const opened = (rows: string, since = at) =>
    `SELECT b.*, ${since} AS _valid_from, NULL::TIMESTAMPTZ AS _valid_to, true AS _is_current FROM ${rows}`;
  if (!old) return { replaced: undefined, added: opened(`(${kept}) b`) };

  const keys = keysOf(rule);
  const own = new Set([...rule.mergeKey, ...HISTORY_COLUMNS.map(({ name }) => name)]);
  const names = columns.map(({ name }) => name).filter((name) => !own.has(name));
  const present = new Set((await engine.describe(unique)).map(({ name }) => name));
  const differs = names
    .filter((name) => present.has(name))
    .map((name) => `o.${quoteIdentifier(name)} IS DISTINCT FROM b.${quoteIdentifier(name)}`);
  if (rule.deleteColumn) differs.push(`b.${quoteIdentifier(rule.deleteColumn)} IS TRUE`);
  const current = `(SELECT * FROM ${old} WHERE _is_current IS TRUE)`;
  await engine.run(`
    CREATE OR REPLACE TEMP TABLE changed_keys AS
    SELECT ${rule.mergeKey.map((key) => `o.${quoteIdentifier(key)}`).join(', ')}
    FROM ${current} o JOIN (${unique}) b USING (${keys}) WHERE ${differs.join(' OR ') || 'false'}`);
  const unchanged = `(SELECT * FROM ${current} ANTI JOIN changed_keys USING (${keys}))`;
  // Keys cannot have the name of a history column. If two rows began at the same instant, their order would be
  // undefined.
  const ends = `(
    SELECT ${keys}, max(greatest(_valid_to, _valid_from + INTERVAL 1 MICROSECOND)) AS _valid_from
    FROM ${old} GROUP BY ${keys})`;
  const since = `greatest(${at}, ends._valid_from)`;
  const replaced = `
    SELECT * FROM ${old} WHERE _is_current IS NOT TRUE
    UNION ALL BY NAME SELECT * FROM ${unchanged}
    UNION ALL BY NAME
    SELECT o.* REPLACE (${since} AS _valid_to, false AS _is_current)
    FROM (SELECT * FROM ${current} SEMI JOIN changed_keys USING (${keys})) o JOIN ${ends} ends USING (${keys})`;
  const changed = `SELECT * FROM (${kept}) ANTI JOIN ${unchanged} USING (${keys})`;
  return { replaced, added: opened(`(${changed}) b LEFT JOIN ${ends} ends USING (${keys})`, since) };
}

/**
 * The columns of a batch that are stored. Throws SCHEMA_MISMATCH if the delete column is not a boolean column of the
 * rows.
 */
export function storedColumns(columns: readonly DatasetColumn[], rule: MergeRule): DatasetColumn[] {
  const { deleteColumn, strategy } = rule;
  if (deleteColumn !== undefined && columns.find(({ name }) => name === deleteColumn)?.type !== 'boolean') {
    throw new DataError(
      'SCHEMA_MISMATCH',
      `The delete column ${deleteColumn} is not a boolean column of the rows to load.`,
    );
  }
  const own = columns.filter(({ name }) => name !== deleteColumn);
  if (strategy !== 'scd2') return own;
  const taken = own.find(({ name }) => HISTORY_COLUMNS.some((column) => column.name === folded(name)));
  if (taken)
    throw new DataError('SCHEMA_MISMATCH', `The rows to load must not have a column ${taken.name}; a history adds it.`);
  return [...own, ...HISTORY_COLUMNS];
}

/** A history can only be merged into an empty dataset or another history. Throws SCHEMA_MISMATCH. */
export function rejectOtherHistory(columns: readonly DatasetColumn[], rule: MergeRule): void {
  if (rule.strategy !== 'scd2' || columns.some(({ name }) => name === '_is_current')) return;
  throw new DataError('SCHEMA_MISMATCH', 'The dataset has rows without a history (it has no column _is_current).');
}
