import type { PostgresSource } from '../../../data/connectors/postgres/connection.ts';
import { quoteIdentifier } from '../../../data/duckdb/quoting.ts';
import { DataError } from '../../../platform/errors/data-error.ts';
import { type Lsn, lsnOf } from './lsn.ts';
import { createPublicationSql, publishedTables, quoted } from './preflight.ts';

/** The replication slot of a stream as its source sees it. */
export interface Slot {
  confirmedLsn: Lsn;
  walStatus: string | null;
  retainedBytes: number | null;
  /** Whether a client is reading from it. */
  active: boolean;
}

export async function readSlot(source: PostgresSource, slotName: string): Promise<Slot | undefined> {
  const { rows } = await source.query(
    `SELECT confirmed_flush_lsn, wal_status, pg_wal_lsn_diff(pg_current_wal_lsn(), restart_lsn), active
     FROM pg_catalog.pg_replication_slots WHERE slot_name = $1 AND database = current_database()`,
    [slotName],
  );
  const [row] = rows;
  if (!row) return undefined;
  const [confirmed, walStatus = null, retained, active] = row;
  return {
    confirmedLsn: lsnOf(confirmed ?? '0/0'),
    walStatus,
    retainedBytes: retained == null ? null : Number(retained),
    active: active === 't',
  };
}

/**
 * Creates the slot and returns the position from which it contains all changes. An existing slot was never read and is
 * replaced.
 */
export async function createSlot(source: PostgresSource, slotName: string): Promise<Lsn> {
  await dropSlot(source, slotName);
  const { rows } = await source.query("SELECT lsn FROM pg_create_logical_replication_slot($1, 'pgoutput')", [slotName]);
  return lsnOf(String(rows[0]?.[0]));
}

/** Drops the slot if it exists, after disconnecting its reader. */
export async function dropSlot(source: PostgresSource, slotName: string): Promise<void> {
  const named = 'FROM pg_catalog.pg_replication_slots WHERE slot_name = $1 AND database = current_database()';
  await source.query(`SELECT pg_terminate_backend(active_pid) ${named} AND active_pid <> pg_backend_pid()`, [slotName]);
  await source.query(`SELECT pg_drop_replication_slot(slot_name) ${named}`, [slotName]);
}

/** Publishes these tables, and removes others if the role has the right to. */
export async function publish(source: PostgresSource, publication: string, tables: readonly string[]): Promise<void> {
  const exists = await source.query('SELECT 1 FROM pg_catalog.pg_publication WHERE pubname = $1', [publication]);
  if (exists.rows.length === 0) {
    await source.query(createPublicationSql(publication, tables));
    return;
  }
  const published = await publishedTables(source, publication);
  const alter = (verb: 'ADD' | 'DROP', name: string) =>
    source.query(`ALTER PUBLICATION ${quoteIdentifier(publication)} ${verb} TABLE ${quoted(name)}`);
  for (const name of tables.filter((table) => !published.includes(table))) await alter('ADD', name);
  for (const name of published.filter((table) => !tables.includes(table))) await ignoreDenied(alter('DROP', name));
}

/** Drops the publication, unless another role owns it. */
export async function unpublish(source: PostgresSource, publication: string): Promise<void> {
  await ignoreDenied(source.query(`DROP PUBLICATION IF EXISTS ${quoteIdentifier(publication)}`));
}

async function ignoreDenied(statement: Promise<unknown>): Promise<void> {
  try {
    await statement;
  } catch (error) {
    if (!(error instanceof DataError && error.code === 'PERMISSION_DENIED')) throw error;
  }
}

/** Confirms to the source that everything before the position is stored. */
export async function confirm(source: PostgresSource, slotName: string, lsn: Lsn): Promise<void> {
  await source.query('SELECT pg_replication_slot_advance($1, $2::pg_lsn)', [slotName, lsn]);
}

/** Writes a message into the log, so that an idle database can remove its log too. */
export async function heartbeat(source: PostgresSource): Promise<void> {
  await source.query("SELECT pg_logical_emit_message(false, 'analytics', 'heartbeat')");
}

/** The end of the log that a reader can see. */
export async function flushedLsn(source: PostgresSource): Promise<Lsn> {
  const { rows } = await source.query('SELECT pg_current_wal_flush_lsn()');
  return lsnOf(String(rows[0]?.[0]));
}
