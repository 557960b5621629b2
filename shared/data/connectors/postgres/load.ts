import { pipeline } from 'node:stream/promises';
import { from as copyFrom } from 'pg-copy-streams';
import { DataError } from '../../../platform/errors/data-error.ts';
import type { Column } from '../../duckdb/column-types.ts';
import { quoteIdentifier } from '../../duckdb/quoting.ts';
import { rejectUnknownOrder } from '../../tables/merge-rows.ts';
import { storedColumns } from '../../tables/merge-strategies.ts';
import { missingKey, nullCounts } from '../../tables/missing-key.ts';
import { MAX_REPORTED_CHANGES, type OnSchemaChange, type SchemaChange } from '../../tables/schema-change.ts';
import type { PostgresSource } from './connection.ts';
import { LEDGER } from './load-ledger.ts';
import { fitValues, type MatchedColumns, matchColumns } from './schema.ts';

/** Where to load rows, and how to combine them with existing rows. */
export interface PostgresLoad {
  /** Identifies the load across attempts, so that it takes effect once. */
  loadKey: string;
  schema: string;
  table: string;
  partitionBy?: readonly string[];
  /**
   * If omitted, the table is not altered: columns that it lacks are rejected, and those that the rows lack get their
   * defaults.
   */
  onSchemaChange?: OnSchemaChange;
  columns: readonly Column[];
  /** The rows as CSV in which only an unquoted empty cell is null. Read once; an error of it rolls the load back. */
  csv: () => AsyncIterable<Buffer>;
  rows: number;
  /** Throws to reject the table as it is before the load. */
  beforeLoad?(table: TableState): Promise<void>;
  how:
    | { mode: 'append' }
    /** `partition` replaces the rows whose values in `partitionBy` occur in the load. */
    | { mode: 'overwrite'; scope?: 'table' | 'partition' }
    | {
        mode: 'merge';
        mergeKey: readonly string[];
        strategy?: 'upsert' | 'delete_insert' | 'insert_only';
        /** A boolean column that marks keys to delete. It is not stored. */
        deleteColumn?: string;
        dedupeOrderBy?: readonly { column: string; direction?: 'asc' | 'desc' }[];
      };
}

export interface TableState {
  exists: boolean;
  /** Whether the table has rows although no load of the same step and run has added any. */
  hasOtherRows(): Promise<boolean>;
}

export interface PostgresLoaded {
  rows: number;
  bytes: number;
  /** Whether an earlier attempt had already committed this load. */
  repeated: boolean;
  /** At most `MAX_REPORTED_CHANGES`. */
  schemaChanges: SchemaChange[];
}

const STAGED = '"staged rows"';

/**
 * Loads rows into a table in one transaction and records the load in the ledger of the same schema: a repeated load
 * finds its entry and changes nothing. Creates the table if it does not exist. Readers see all of the load or none of
 * it. An error of `beforeCommit` rolls everything back. Throws SCHEMA_MISMATCH for rows that do not fit, and errors of
 * the server.
 */
export async function loadIntoPostgres(
  target: PostgresSource,
  load: PostgresLoad,
  beforeCommit: () => Promise<void>,
): Promise<PostgresLoaded> {
  await target.query('BEGIN');
  try {
    // Casting an instant to a date uses the session's time zone.
    await target.query(`SET LOCAL timezone = 'UTC'`);
    const done = await committed(target, load);
    if (done) {
      await target.query('ROLLBACK');
      return { ...done, repeated: true };
    }
    const { rows, bytes, changes } = await loadRows(target, load);
    const schemaChanges = changes.slice(0, MAX_REPORTED_CHANGES);
    await target.query(
      `INSERT INTO ${ledgerOf(load)} (load_key, rows, bytes, schema_changes) VALUES ($1, $2, $3, $4)`,
      [load.loadKey, rows, bytes, JSON.stringify(schemaChanges)],
    );
    await beforeCommit();
    await target.query('COMMIT');
    return { rows, bytes, repeated: false, schemaChanges };
  } catch (error) {
    // A lost connection has no transaction to roll back.
    if (target.usable) await target.query('ROLLBACK').catch(() => {});
    throw error;
  }
}

const tableOf = ({ schema, table }: PostgresLoad) => `${quoteIdentifier(schema)}.${quoteIdentifier(table)}`;
const ledgerOf = ({ schema }: PostgresLoad) => `${quoteIdentifier(schema)}.${LEDGER}`;
const listOf = (names: readonly string[]) => names.map(quoteIdentifier).join(', ');
const matching = (keys: readonly string[]) =>
  keys.map((key) => `t.${quoteIdentifier(key)} = s.${quoteIdentifier(key)}`).join(' AND ');

/** Returns what an earlier attempt committed. The lock serializes attempts of one load and the creation of tables. */
async function committed(
  target: PostgresSource,
  load: PostgresLoad,
): Promise<Pick<PostgresLoaded, 'rows' | 'bytes' | 'schemaChanges'> | undefined> {
  const ledger = ledgerOf(load);
  await target.query(`SELECT pg_advisory_xact_lock(hashtextextended($1, 0))`, [`analytics ${load.schema}`]);
  await target.query(`CREATE TABLE IF NOT EXISTS ${ledger} (
    load_key text PRIMARY KEY, rows bigint NOT NULL, bytes bigint NOT NULL, loaded_at timestamptz NOT NULL DEFAULT now(),
    schema_changes jsonb NOT NULL)`);
  const { rows } = await target.query(`SELECT rows, bytes, schema_changes::text FROM ${ledger} WHERE load_key = $1`, [
    load.loadKey,
  ]);
  const [found] = rows;
  if (!found) return undefined;
  const schemaChanges = JSON.parse(found[2] as string) as SchemaChange[];
  return { rows: Number(found[0]), bytes: Number(found[1]), schemaChanges };
}

interface Copied {
  rows: number;
  bytes: number;
}

/** Adapts the table to the rows and loads them. Returns how many rows there were. */
async function loadRows(target: PostgresSource, load: PostgresLoad): Promise<Copied & { changes: SchemaChange[] }> {
  const { onSchemaChange, how } = load;
  const table = tableOf(load);
  if (how.mode === 'merge') rejectUnknownOrder(load.columns, how, (name) => name);
  const columns = how.mode === 'merge' ? storedColumns(load.columns, how) : load.columns;
  const exists = await tableExists(target, load);
  await load.beforeLoad?.({ exists, hasOtherRows: async () => exists && hasOtherRows(target, load) });
  if (!exists) await createTable(target, load, columns);
  const matched = await matchColumns(target, table, columns, { onSchemaChange, typeOf: postgresTypeOf });
  if (await canCopyDirectly(target, load, matched)) {
    if (load.how.mode === 'overwrite') await deleteReplacedRows(target, load, load.how.scope);
    return { ...(await copyInto(target, table, load)), changes: matched.changes };
  }
  const { bytes, widened } = await stage(target, load, matched);
  const taken = new Set(matched.loaded.map(({ name }) => name));
  const rows = await apply(target, { ...load, columns: load.columns.filter(({ name }) => taken.has(name)) });
  return { rows, bytes, changes: [...matched.changes, ...widened] };
}

async function tableExists(target: PostgresSource, load: PostgresLoad): Promise<boolean> {
  const { rows } = await target.query('SELECT to_regclass($1) IS NOT NULL', [tableOf(load)]);
  return String(rows[0]?.[0]).startsWith('t');
}

/** Load keys begin with the run and the step. */
async function hasOtherRows(target: PostgresSource, load: PostgresLoad): Promise<boolean> {
  const ofStep = load.loadKey.slice(0, load.loadKey.lastIndexOf('#') + 1);
  const { rows } = await target.query(
    `SELECT EXISTS (SELECT 1 FROM ${tableOf(load)})
       AND NOT EXISTS (SELECT 1 FROM ${ledgerOf(load)} WHERE starts_with(load_key, $1))`,
    [ofStep],
  );
  return String(rows[0]?.[0]).startsWith('t');
}

/**
 * Creates the table; a merge by unique keys makes them its primary key, so that no other writer can add a key twice.
 */
async function createTable(target: PostgresSource, load: PostgresLoad, columns: readonly Column[]): Promise<void> {
  const { how } = load;
  const made = columns.map(({ name, type }) => `${quoteIdentifier(name)} ${postgresTypeOf(type)}`);
  const keys = how.mode === 'merge' && how.strategy !== 'delete_insert' ? how.mergeKey : [];
  const hasKeys = keys.length > 0 && keys.every((key) => columns.some(({ name }) => name === key));
  if (hasKeys) made.push(`PRIMARY KEY (${listOf(keys)})`);
  await target.query(`CREATE TABLE IF NOT EXISTS ${tableOf(load)} (${made.join(', ')})`);
}

/**
 * Whether COPY can load the rows directly: none has to be compared with others, checked against a type, or left out.
 */
async function canCopyDirectly(target: PostgresSource, load: PostgresLoad, matched: MatchedColumns): Promise<boolean> {
  const { how } = load;
  const isCompared = how.mode === 'merge' || (how.mode === 'overwrite' && how.scope === 'partition');
  if (isCompared || matched.loaded.length < matched.staged.length || matched.loaded.some(({ fit }) => fit))
    return false;
  // COPY rejects or bypasses views, rules, policies and identity columns that INSERT respects.
  const { rows } = await target.query(
    `SELECT relkind IN ('r', 'p') AND NOT relhasrules AND NOT relrowsecurity AND NOT EXISTS (
       SELECT 1 FROM pg_catalog.pg_attribute WHERE attrelid = c.oid AND attidentity = 'a')
     FROM pg_catalog.pg_class c WHERE oid = $1::regclass`,
    [tableOf(load)],
  );
  return String(rows[0]?.[0]).startsWith('t');
}

/** Loads the rows into a temporary table; `widened` are the columns that were widened for them. */
async function stage(
  target: PostgresSource,
  load: PostgresLoad,
  matched: MatchedColumns,
): Promise<{ bytes: number; widened: SchemaChange[] }> {
  const columns = matched.staged.map(({ name, stagedAs }) => `${quoteIdentifier(name)} ${stagedAs}`);
  const { how } = load;
  if (how.mode === 'merge' && how.deleteColumn) columns.push(`${quoteIdentifier(how.deleteColumn)} boolean`);
  await target.query(`CREATE TEMP TABLE ${STAGED} (${columns.join(', ')}) ON COMMIT DROP`);
  const { bytes } = await copyInto(target, STAGED, load);
  const widened = await reportingMismatch(() =>
    fitValues(target, { table: tableOf(load), staged: STAGED }, matched.loaded, load.onSchemaChange),
  );
  return { bytes, widened };
}

async function copyInto(target: PostgresSource, table: string, load: PostgresLoad): Promise<Copied> {
  if (load.rows === 0) return { rows: 0, bytes: 0 };
  const list = listOf(load.columns.map(({ name }) => name));
  const copy = target.client.query(copyFrom(`COPY ${table} (${list}) FROM STDIN (FORMAT csv, ENCODING 'UTF8')`));
  let bytes = 0;
  async function* counted(): AsyncGenerator<Buffer> {
    for await (const chunk of load.csv()) {
      bytes += chunk.length;
      yield chunk;
    }
  }
  await reportingMismatch(() => target.bounded((signal) => pipeline(counted, copy, { signal })));
  return { rows: copy.rowCount, bytes };
}

/** Reports values that the server cannot store as SCHEMA_MISMATCH of the rows. */
async function reportingMismatch<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const isMismatch = error instanceof DataError && error.code === 'SQL_ERROR' && !isTableConstraint(error.cause);
    throw isMismatch ? new DataError('SCHEMA_MISMATCH', error.message, { cause: error }) : error;
  }
}

/** Whether the error comes from a constraint or a trigger of the table (by the class of its SQLSTATE). */
const isTableConstraint = (cause: unknown) => /^(23|P0)/.test((cause as { code?: string } | undefined)?.code ?? '');

/** Moves the staged rows into the table and returns how many there were. */
async function apply(target: PostgresSource, load: PostgresLoad): Promise<number> {
  const list = listOf(load.columns.map(({ name }) => name));
  const insert = `INSERT INTO ${tableOf(load)} (${list}) SELECT ${list} FROM ${STAGED} s`;
  const { how } = load;
  if (how.mode !== 'merge') {
    if (how.mode === 'overwrite') await deleteReplacedRows(target, load, how.scope);
    return countOf(await target.query(insert));
  }
  // Prevents two loads of one key from both finding it missing.
  await target.query(`LOCK TABLE ${tableOf(load)} IN SHARE ROW EXCLUSIVE MODE`);
  await rejectMissingKeys(target, load, how.mergeKey);
  if (how.strategy === 'delete_insert') {
    await target.query(`DELETE FROM ${tableOf(load)} t USING ${STAGED} s WHERE ${matching(how.mergeKey)}`);
    return (await deleteMarkedRows(target, load, how)) + countOf(await target.query(insert));
  }
  await removeRepeatedKeys(target, how);
  let updated = await deleteMarkedRows(target, load, how);
  const others = load.columns.map(({ name }) => name).filter((name) => !how.mergeKey.includes(name));
  if (how.strategy !== 'insert_only' && others.length > 0) {
    const set = others.map((name) => `${quoteIdentifier(name)} = s.${quoteIdentifier(name)}`).join(', ');
    updated += countOf(
      await target.query(`UPDATE ${tableOf(load)} t SET ${set} FROM ${STAGED} s WHERE ${matching(how.mergeKey)}`),
    );
  }
  const missing = `NOT EXISTS (SELECT 1 FROM ${tableOf(load)} t WHERE ${matching(how.mergeKey)})`;
  return updated + countOf(await target.query(`${insert} WHERE ${missing}`));
}

/** Deletes what an overwrite replaces: all rows, or those of the partitions of the staged rows. */
async function deleteReplacedRows(
  target: PostgresSource,
  load: PostgresLoad,
  scope: string | undefined,
): Promise<void> {
  if (scope !== 'partition') {
    await target.query(`DELETE FROM ${tableOf(load)}`);
    return;
  }
  const keys = load.partitionBy!;
  const unknown = keys.find((key) => !load.columns.some(({ name }) => name === key));
  if (unknown) throw new DataError('SCHEMA_MISMATCH', `There is no column ${unknown} to partition by.`);
  const isSame = keys.map((key) => `t.${quoteIdentifier(key)} IS NOT DISTINCT FROM s.${quoteIdentifier(key)}`);
  await target.query(
    `DELETE FROM ${tableOf(load)} t USING (SELECT DISTINCT ${listOf(keys)} FROM ${STAGED}) s WHERE ${isSame.join(' AND ')}`,
  );
}

async function rejectMissingKeys(target: PostgresSource, load: PostgresLoad, keys: readonly string[]): Promise<void> {
  const unknown = keys.find((key) => !load.columns.some(({ name }) => name === key));
  if (unknown) {
    throw new DataError('SCHEMA_MISMATCH', `The merge key ${unknown} is not a column of the rows to load.`);
  }
  const names = keys.map(quoteIdentifier);
  const isNull = names.map((name) => `${name} IS NULL`).join(' OR ');
  const { rows } = await target.query(`SELECT count(*) FILTER (WHERE ${isNull}), ${nullCounts(names)} FROM ${STAGED}`);
  const [nulls, ...found] = rows[0]!;
  if (Number(nulls) > 0) throw missingKey(String(nulls), keys, found);
}

async function removeRepeatedKeys(
  target: PostgresSource,
  how: Extract<PostgresLoad['how'], { mode: 'merge' }>,
): Promise<void> {
  const keys = listOf(how.mergeKey);
  const { rows } = await target.query(`SELECT count(*) - count(DISTINCT (${keys})) FROM ${STAGED}`);
  const repeated = Number(rows[0]![0]);
  if (repeated === 0) return;
  if (!how.dedupeOrderBy) {
    const message = `${repeated} rows repeat a merge key, and without dedupeOrderBy the one to keep is undefined.`;
    throw new DataError('SCHEMA_MISMATCH', message);
  }
  const order = how.dedupeOrderBy
    .map(({ column, direction }) => `${quoteIdentifier(column)} ${direction === 'desc' ? 'DESC' : 'ASC'} NULLS LAST`)
    .join(', ');
  await target.query(`DELETE FROM ${STAGED} WHERE ctid IN (
    SELECT ctid FROM (SELECT ctid, row_number() OVER (PARTITION BY ${keys} ORDER BY ${order}) AS place FROM ${STAGED}) r
    WHERE place > 1)`);
}

/** Deletes the rows of marked keys and the staged rows that mark them. Returns how many staged rows were removed. */
async function deleteMarkedRows(
  target: PostgresSource,
  load: PostgresLoad,
  { mergeKey, deleteColumn }: Extract<PostgresLoad['how'], { mode: 'merge' }>,
): Promise<number> {
  if (deleteColumn === undefined) return 0;
  const isDeleted = `s.${quoteIdentifier(deleteColumn)}`;
  await target.query(`DELETE FROM ${tableOf(load)} t USING ${STAGED} s WHERE ${isDeleted} AND ${matching(mergeKey)}`);
  return countOf(await target.query(`DELETE FROM ${STAGED} s WHERE ${isDeleted}`));
}

const countOf = ({ rowCount }: { rowCount: number | null }) => rowCount ?? 0;

const POSTGRES_TYPES: Record<string, string> = {
  string: 'text',
  integer: 'bigint',
  double: 'double precision',
  boolean: 'boolean',
  date: 'date',
  time: 'time',
  timestamp: 'timestamp',
  timestamptz: 'timestamptz',
  binary: 'bytea',
};

/** The type of a column that the load creates. Nested types are stored as JSON. */
function postgresTypeOf(type: string): string {
  if (type.startsWith('decimal')) return type.replace('decimal', 'numeric');
  return POSTGRES_TYPES[type] ?? 'jsonb';
}
