import { DataError } from '../../../platform/errors/data-error.ts';
import type { Column } from '../../duckdb/column-types.ts';
import { quoteIdentifier } from '../../duckdb/quoting.ts';
import type { OnSchemaChange, SchemaChange } from '../../tables/schema-change.ts';
import type { PostgresSource } from './connection.ts';
import { type ColumnType, type Fit, fitOf } from './fits.ts';

export interface TableColumn extends ColumnType {
  name: string;
  /** As the server names it, such as `numeric(10,2)`. */
  type: string;
  /** Whether the server fills the column if rows have no value for it. */
  isFilled: boolean;
}

/** A column of the rows and how it is loaded. */
export interface MatchedColumn {
  name: string;
  /** The type in which it is staged. */
  stagedAs: string;
  /** Set if the table's column may not hold all of its values. */
  fit?: Fit & { there: string };
}

export interface MatchedColumns {
  /** All columns of the rows, in their order. */
  staged: MatchedColumn[];
  /** The columns that are loaded. */
  loaded: MatchedColumn[];
  changes: SchemaChange[];
}

/** The columns of a table (SQL name), in order. */
export async function tableColumns(target: PostgresSource, table: string): Promise<TableColumn[]> {
  const { rows } = await target.query(
    `SELECT attname, format_type(atttypid, atttypmod), atthasdef OR attidentity <> '' OR attgenerated <> '',
       format_type(base, limits), format_type(base, -1), base <> atttypid
     FROM pg_catalog.pg_attribute, LATERAL (
       WITH RECURSIVE over AS (
         SELECT atttypid AS base, atttypmod AS limits, 0 AS depth
         UNION ALL SELECT typbasetype, typtypmod, depth + 1 FROM over JOIN pg_catalog.pg_type t ON t.oid = base AND typtype = 'd')
       SELECT base, limits FROM over ORDER BY depth DESC LIMIT 1) AS held
     WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped ORDER BY attnum`,
    [table],
  );
  return rows.map(([name, type, isFilled, base, bare, isDomain]) => ({
    name: name as string,
    type: type as string,
    isFilled: String(isFilled).startsWith('t'),
    base: base as string,
    bare: bare as string,
    isDomain: String(isDomain).startsWith('t'),
  }));
}

/**
 * Finds the table's column for each column of the rows. New columns are added (`evolve`), left out (`ignore`) or
 * rejected. The server fills columns that the rows lack; `fail` rejects those that have no default.
 */
export async function matchColumns(
  target: PostgresSource,
  table: string,
  columns: readonly Column[],
  how: { onSchemaChange?: OnSchemaChange | undefined; typeOf: (type: string) => string },
): Promise<MatchedColumns> {
  const { onSchemaChange, typeOf } = how;
  const existing = await tableColumns(target, table);
  const matched: MatchedColumns = { staged: [], loaded: [], changes: [] };
  const rejected: string[] = [];
  for (const { name, type } of columns) {
    const place = existing.find((column) => column.name === name);
    const column = matchColumn(name, type, place, typeOf);
    matched.staged.push(column);
    if (place || onSchemaChange !== 'ignore') matched.loaded.push(column);
    if (place) continue;
    const change = onSchemaChange === 'ignore' ? 'left_out' : 'added';
    matched.changes.push({ column: name, change, from: null, to: typeOf(type) });
    if (onSchemaChange === 'evolve') {
      await target.query(`ALTER TABLE ${table} ADD COLUMN ${quoteIdentifier(name)} ${typeOf(type)}`);
    } else if (onSchemaChange !== 'ignore') rejected.push(`The table has no column ${name} (${typeOf(type)}).`);
  }
  for (const { name, type } of unfilledColumns(existing, columns)) {
    matched.changes.push({ column: name, change: 'missing', from: type, to: null });
    if (onSchemaChange === 'fail') rejected.push(`The rows have no column ${name} (${type}).`);
  }
  if (rejected.length > 0) throw DataError.ofIssues(rejected.map(mismatch));
  if (matched.loaded.length === 0) throw new DataError('SCHEMA_MISMATCH', 'The table has none of the columns.');
  return matched;
}

function matchColumn(
  name: string,
  type: string,
  place: TableColumn | undefined,
  typeOf: (type: string) => string,
): MatchedColumn {
  if (!place) return { name, stagedAs: typeOf(type) };
  const fit = fitOf(place, type);
  return fit ? { name, stagedAs: fit.stagedAs, fit: { ...fit, there: place.type } } : { name, stagedAs: place.type };
}

/** Columns of the table that neither the rows nor a default fill. */
function unfilledColumns(existing: readonly TableColumn[], columns: readonly Column[]): TableColumn[] {
  const filled = new Set(columns.map(({ name }) => name));
  return existing.filter(({ name, isFilled }) => !isFilled && !filled.has(name));
}

/** Widens columns (`evolve`) that cannot hold staged values. Throws SCHEMA_MISMATCH if they must not be widened. */
export async function fitValues(
  target: PostgresSource,
  { table, staged }: { table: string; staged: string },
  columns: readonly MatchedColumn[],
  onSchemaChange: OnSchemaChange | undefined,
): Promise<SchemaChange[]> {
  const changes: SchemaChange[] = [];
  const rejected: string[] = [];
  const read: string[] = [];
  for (const { name, fit } of columns) {
    if (!fit) continue;
    const column = quoteIdentifier(name);
    const castTo = (type: string) => {
      if (fit.isReading) read.push(`ALTER COLUMN ${column} TYPE ${type} USING ${column}::${type}`);
    };
    const misfits = `FROM ${staged} WHERE ${column} IS NOT NULL AND (${fit.misfit(column)})`;
    const { rows } = await target.query(`SELECT count(*), min(${column}::text) ${misfits}`);
    const [count, example] = rows[0]!;
    if (Number(count) === 0) {
      castTo(fit.there);
      continue;
    }
    if (onSchemaChange !== 'evolve' || fit.wider === undefined) {
      const held = `which does not hold ${count} values of the rows, such as ${String(example).slice(0, 100)}`;
      rejected.push(`The column ${name} is ${fit.there}, ${held}.`);
      continue;
    }
    const using = fit.widened?.(column) ?? `${column}::${fit.wider}`;
    await target.query(`ALTER TABLE ${table} ALTER COLUMN ${column} TYPE ${fit.wider} USING ${using}`);
    castTo(fit.wider);
    changes.push({ column: name, change: 'retyped', from: fit.there, to: fit.wider });
  }
  if (rejected.length > 0) throw DataError.ofIssues(rejected.map(mismatch));
  if (read.length > 0) await target.query(`ALTER TABLE ${staged} ${read.join(', ')}`);
  return changes;
}

const mismatch = (message: string) => ({ code: 'SCHEMA_MISMATCH' as const, message });
