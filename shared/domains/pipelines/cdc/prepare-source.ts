import type { PostgresSource } from '../../../data/connectors/postgres/connection.ts';
import { DataError } from '../../../platform/errors/data-error.ts';
import { partsOf, type StoredStream } from './record.ts';
import { createSlot, flushedLsn, publish, readSlot } from './slot.ts';
import { newestTransaction } from './snapshot.ts';
import type { CaptureState, TableState } from './state.ts';
import { SLOT_LOST } from './stream-alerts.ts';

/**
 * Applies the settings of the stream to the source: publishes the tables and, once, creates the slot. A new table
 * begins with its own snapshot. Returns false if the slot was removed or read by another client: changes are then
 * missing, and only a requested resync can continue.
 */
export async function prepareSource(
  source: PostgresSource,
  stream: StoredStream,
  state: CaptureState,
  save: (state: CaptureState) => Promise<void>,
): Promise<boolean> {
  const isNew = state.slotGeneration < stream.slotGeneration;
  if (!isNew && !(await hasSlot(source, stream, state))) return false;
  const oids = await findTables(
    source,
    stream.tables.map(({ name }) => name),
  );
  // Before the slot: creating a slot waits for all open transactions, so the publication misses no change.
  await publish(source, stream.slotName, [...oids.keys()]);
  if (isNew) {
    const lsn = await createSlot(source, stream.slotName);
    const { slotGeneration } = stream;
    Object.assign(state, { slotGeneration, committedLsn: lsn, confirmedLsn: lsn, recentXids: [], pausedAt: null });
  }
  state.error = null;
  const wanted = new Map(stream.tables.map((table) => [table.name, table]));
  for (const name of Object.keys(state.tables)) if (!wanted.has(name)) delete state.tables[name];
  for (const { name, generation } of wanted.values()) {
    if (state.tables[name]?.generation !== generation) {
      state.tables[name] = newTableState(state.tables[name], generation, await newestTransaction(source));
    }
    checkTable(name, state.tables[name]!, oids.get(name));
  }
  await save(state);
  return true;
}

async function hasSlot(source: PostgresSource, stream: StoredStream, state: CaptureState): Promise<boolean> {
  const slot = await readSlot(source, stream.slotName);
  const reason = !slot
    ? 'The replication slot does not exist any more.'
    : slot.walStatus === 'lost'
      ? 'The source has removed log that the slot still needs.'
      : slot.confirmedLsn > state.committedLsn!
        ? 'Another client has read from the replication slot.'
        : (await flushedLsn(source)) < state.committedLsn!
          ? 'The source was restored to an earlier state.'
          : undefined;
  if (reason === undefined) return true;
  const message = `${reason} Changes are missing; resync the stream.`;
  Object.assign(state, {
    error: { code: SLOT_LOST, message },
    walStatus: slot?.walStatus ?? null,
    retainedWalBytes: null,
  });
  return false;
}

/**
 * Transactions that are open when a table is added must end before its snapshot: the publication may have missed their
 * changes.
 */
function newTableState(before: TableState | undefined, generation: number, waitFor: string): TableState {
  const { rows = 0, lastLsn = null, schemaSeq = null, complete = false, readableUpTo = null } = before ?? {};
  const known = { rows, lastLsn, schemaSeq, complete, readableUpTo };
  return { ...known, generation, status: 'pending', error: null, oid: null, waitFor, after: null, highLsn: null };
}

/** Stops a table that was dropped or replaced; the others continue. */
function checkTable(name: string, table: TableState, oid: number | undefined): void {
  if (table.status === 'error') return;
  const stop = (code: string, message: string) => Object.assign(table, { status: 'error', error: { code, message } });
  if (oid === undefined) stop('NOT_FOUND', `The table ${name} does not exist any more; remove it from the stream.`);
  else if (table.oid !== null && table.oid !== oid)
    stop('SCHEMA_MISMATCH', `${name} is now a different table; resync it.`);
  else table.oid = oid;
}

async function findTables(source: PostgresSource, names: readonly string[]): Promise<Map<string, number>> {
  const parts = names.map(partsOf);
  const { rows } = await source.query(
    `SELECT n.nspname || '.' || c.relname, c.oid FROM pg_catalog.pg_class c
     JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
     JOIN unnest($1::text[], $2::text[]) AS wanted(schema, name) ON wanted.schema = n.nspname AND wanted.name = c.relname
     WHERE c.relkind IN ('r', 'p')`,
    [parts.map(({ schema }) => schema), parts.map(({ table }) => table)],
  );
  if (rows.length === 0) throw new DataError('NOT_FOUND', 'None of the tables of the stream exists any more.');
  return new Map(rows.map(([name, oid]) => [String(name), Number(oid)]));
}
