import type { PostgresSource } from '../../../data/connectors/postgres/connection.ts';
import { fetchRows } from '../../../data/connectors/postgres/cursor.ts';
import { quoteIdentifier } from '../../../data/duckdb/quoting.ts';
import type { Change } from './batch-writer.ts';
import { type Lsn, lsnOf } from './lsn.ts';
import { quoted } from './preflight.ts';
import type { SourceTableShape } from './table-shape.ts';

export interface ChunkRequest {
  table: string;
  shape: SourceTableShape;
  /** The key of the row after which to continue; null to start at the beginning. */
  after: string[] | null;
  rows: number;
  /** The position that the rows get; it precedes all changes that follow in the log. */
  lsn: Lsn;
  at: string;
  /** Transactions that the log already contains; the rows must show their changes. */
  recentXids: readonly number[];
  /** Transactions older than this one must have ended. */
  waitFor: string | null;
  /** Whether these rows replace all earlier rows of the table. */
  begins: boolean;
}

/** The result of a chunk. */
export interface ChunkEnd {
  after: string[] | null;
  isLast: boolean;
  /** The position of the log after the rows were read. */
  highLsn: Lsn;
}

/** The newest transaction that has begun. A snapshot may begin when all up to it have ended. */
export async function newestTransaction(source: PostgresSource): Promise<string> {
  const { rows } = await source.query('SELECT pg_snapshot_xmax(pg_current_snapshot())');
  return String(rows[0]?.[0]);
}

/**
 * Reads rows of a table by its key, as of one moment. They show every transaction that the change log already contains.
 * Later transactions follow in the log; those that the rows show already are repeated, which leads to the same state. A
 * table without a key is read as a whole.
 */
export async function readChunk(
  source: PostgresSource,
  request: ChunkRequest,
  take: (changes: AsyncIterable<Change>) => Promise<unknown>,
  ended: (end: ChunkEnd) => void,
): Promise<'progress' | 'waiting'> {
  await source.query('BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY');
  try {
    // The rows might miss changes of a transaction that is still open in the source.
    if (!(await showsEverything(source, request))) return 'waiting';
    await take(changesOf(source, request, ended));
    return 'progress';
  } finally {
    await source.query('ROLLBACK').catch(() => {});
  }
}

async function* changesOf(
  source: PostgresSource,
  request: ChunkRequest,
  ended: (end: ChunkEnd) => void,
): AsyncGenerator<Change> {
  const { at: committedAt, lsn, shape } = request;
  if (request.begins) yield { op: 't', lsn, committedAt, values: [] };
  let last: (string | null)[] | undefined;
  let count = 0;
  for await (const values of rowsOf(source, request)) {
    last = values;
    count += 1;
    yield { op: 'r', lsn, committedAt, values };
  }
  const { rows } = await source.query('SELECT pg_current_wal_insert_lsn()');
  const places = (shape.key ?? []).map((name) => shape.columns.findIndex((column) => column.name === name));
  ended({
    after: last ? places.map((place) => String(last![place])) : request.after,
    isLast: shape.key === null || count < request.rows,
    highLsn: lsnOf(String(rows[0]?.[0])),
  });
}

/**
 * A transaction is in the log from its commit record on, but becomes visible a moment later, or much later if a
 * synchronous standby does not respond. Until then, the snapshot lists it as in progress or its id is not below the
 * xmax.
 */
async function showsEverything(source: PostgresSource, { recentXids, waitFor }: ChunkRequest): Promise<boolean> {
  const { rows } = await source.query(
    `SELECT pg_snapshot_xmax(now)::text::bigint % 4294967296, coalesce($1::text::xid8 <= pg_snapshot_xmin(now), true),
       ARRAY (SELECT xip::text::bigint % 4294967296 FROM pg_snapshot_xip(now) AS xip)::text
     FROM pg_current_snapshot() AS now`,
    [waitFor],
  );
  const [next, isOver, open] = rows[0]!;
  const underWay = new Set(open!.slice(1, -1).split(','));
  // Transaction ids wrap around after 32 bits.
  const isVisible = (xid: number) => ((xid - Number(next)) | 0) < 0 && !underWay.has(String(xid));
  return isOver === 't' && recentXids.every(isVisible);
}

async function* rowsOf(source: PostgresSource, request: ChunkRequest): AsyncGenerator<(string | null)[]> {
  const { table, shape, after, rows } = request;
  const list = shape.columns.map(({ name }) => quoteIdentifier(name)).join(', ');
  const keys = shape.key?.map(quoteIdentifier);
  const beyond = after
    ? ` WHERE (${keys!.join(', ')}) > (${shape.keyTypes.map((type, i) => `$${i + 1}::text::${type}`).join(', ')})`
    : '';
  const order = keys ? ` ORDER BY ${keys.join(', ')} LIMIT ${rows}` : '';
  const sql = `SELECT ${list} FROM ${quoted(table)}${beyond}${order}`;
  for await (const batch of fetchRows(source, sql, after ?? [])) yield* batch.rows;
}
