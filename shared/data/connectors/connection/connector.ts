import type { DataError } from '../../../platform/errors/data-error.ts';
import type { AddressGuard, Scheme } from '../../../platform/net/address-guard.ts';

export interface SourceTimeouts {
  /** From resolving the name to being logged in. */
  connectMs: number;
  /** One statement or file, the transfer of its rows included. */
  statementMs: number;
}

/** Who holds a table locked for longer holds it for long. */
export const LOCK_WAIT_MS = 60_000;

export interface ConnectOptions {
  guard: AddressGuard;
  timeouts: SourceTimeouts;
}

/** For sources that are reached by URL. */
export interface WebOptions extends ConnectOptions {
  /** In the clear only where private networks may be reached. */
  schemes: readonly Scheme[];
}

export type ConnectionTest =
  | { ok: true; latencyMs: number; serverVersion?: string }
  | { ok: false; code: DataError['code']; message: string };

export type TableKind = 'table' | 'view' | 'materialized_view' | 'foreign_table' | 'file' | 'endpoint';

export interface SourceTable {
  name: string;
  kind: TableKind;
  /** The server's estimate; null when it was never taken. */
  estimatedRows?: number | null;
  sizeBytes?: number;
  updatedAt?: string;
}

export interface SourceColumn {
  name: string;
  /** In our vocabulary. */
  type: string;
  /** As the source calls it, such as `character varying(20)`. */
  sourceType: string;
  nullable: boolean;
  primaryKey: boolean;
}

/** A part of a list: the items after the one named `after`, at most `limit`. */
export interface ListPart {
  after?: string;
  limit: number;
}

/** How a statement that a gate has passed is run. */
export interface LiveQuery {
  params: readonly (string | number | boolean | null)[];
  /** Rows to return at most; one more row existing sets `truncated`. */
  limit: number;
  /** What the server may send before rows have been taken; more throws RESULT_TOO_LARGE. */
  batchBytes: number;
  /** IANA name of the zone in which instants are shown. */
  timezone: string;
  timeoutMs: number;
}

/** Takes the next rows, each a JSON array in the wire format. No more are read before it is done; what it throws ends the statement. */
export type TakeRows = (rows: readonly string[]) => void | Promise<void>;

export interface LiveEnd {
  columns: { name: string; type: string }[];
  rowCount: number;
  truncated: boolean;
  warnings: string[];
}

/** What every database can be asked, whatever its protocol. A connection is used by one caller at a time. */
export interface DatabaseConnection {
  version(): Promise<string>;
  /** Schemas that the role may look into, without the server's own, by name. */
  schemas(): Promise<string[]>;
  /** Tables and views of a schema that the role may read, by name. */
  tables(schema: string, part: ListPart): Promise<SourceTable[]>;
  /** Throws NOT_FOUND when there is no such table. */
  columns(schema: string, table: string): Promise<SourceColumn[]>;
  /** Runs a gated statement, read-only and as one command. Throws an DataError, with its place in `sql` where it is known. */
  query(sql: string, query: LiveQuery, take: TakeRows): Promise<LiveEnd>;
  /** Whether the conversation is still in order and the next caller may use the connection. */
  readonly usable: boolean;
  /** Ends the connection, and what the server is doing for it as far as it can be reached. */
  stop(): Promise<void>;
  close(): Promise<void>;
}

/** Opens a new connection. */
export type Dial = () => Promise<DatabaseConnection>;
