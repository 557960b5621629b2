import { DataError } from '../../platform/errors/data-error.ts';
import { folded } from '../duckdb/column-names.ts';
import { quoteIdentifier, quoteLiteral } from '../duckdb/quoting.ts';
import type { DatasetColumn } from './data-file.ts';
import type { LoadContext } from './load-context.ts';
import { keysOf, type MergeRule } from './merge-rows.ts';

/** What a history of rows (`scd2`) says of each: since when and until when it held, and whether it holds. */
export const HISTORY_COLUMNS: readonly DatasetColumn[] = [
  { name: '_valid_from', type: 'timestamptz' },
  { name: '_valid_to', type: 'timestamptz' },
  { name: '_is_current', type: 'boolean' },
];

export interface Merging {
  /** Rows to load, each key once unless the strategy takes several; a statement. */
  unique: string;
  /** Those rows as the table that the batch lies in. */
  input: string;
  /** Rows of the files that hold keys of the batch, undefined when there are none. */
  old: string | undefined;
  columns: readonly DatasetColumn[];
}

export interface Merged {
  /** What takes the place of `old`; undefined when its files can stay. */
  replaced: string | undefined;
  added: string;
}

/** The rows that a merge leaves, as statements. */
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
 * Rows that changed are closed and followed by their new state; rows that did not change stay as they are. What a run brings that
 * began before the row it changes, is valid right after that began: no row ends before its beginning.
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
  // No key is called as a column of the history is. Equal instants of two rows would leave open which of them came first.
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

/** The columns that a batch brings into the dataset. Throws SCHEMA_MISMATCH for a delete column that is none. */
export function storedColumns(columns: readonly DatasetColumn[], rule: MergeRule): DatasetColumn[] {
  const { deleteColumn, strategy } = rule;
  if (deleteColumn !== undefined && columns.find(({ name }) => name === deleteColumn)?.type !== 'boolean') {
    throw new DataError(
      'SCHEMA_MISMATCH',
      `The delete column ${deleteColumn} is no boolean column of the rows to load.`,
    );
  }
  const own = columns.filter(({ name }) => name !== deleteColumn);
  if (strategy !== 'scd2') return own;
  const taken = own.find(({ name }) => HISTORY_COLUMNS.some((column) => column.name === folded(name)));
  if (taken) throw new DataError('SCHEMA_MISMATCH', `The rows to load have a column ${taken.name} of their own.`);
  return [...own, ...HISTORY_COLUMNS];
}

/** A dataset with rows takes a history only when it is one. */
export function refuseOtherHistory(columns: readonly DatasetColumn[], rule: MergeRule): void {
  if (rule.strategy !== 'scd2' || columns.some(({ name }) => name === '_is_current')) return;
  throw new DataError('SCHEMA_MISMATCH', 'The dataset holds rows without a history (there is no column _is_current).');
}
