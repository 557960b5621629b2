import type { EngineError } from '../engine/engine-error.ts';
import type { AddressGuard, Scheme } from '../net/address-guard.ts';

export interface SourceTimeouts {
  /** From resolving the name to being logged in. */
  connectMs: number;
  /** One statement or file, the transfer of its rows included. */
  statementMs: number;
}

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
  | { ok: false; code: EngineError['code']; message: string };

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

/** A statement that a gate has passed. */
export interface LiveQuery {
  params: readonly (string | number | boolean | null)[];
  /** Rows to return at most; one more row existing sets `truncated`. */
  limit: number;
  /** UTF-8 bytes of `rowsJson` at most; more throws RESULT_TOO_LARGE. */
  maxBytes: number;
  /** IANA name of the zone in which instants are shown. */
  timezone: string;
  timeoutMs: number;
}

export interface LiveResult {
  columns: { name: string; type: string }[];
  /** A JSON array of arrays in the wire format. */
  rowsJson: string;
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
  /** Runs a gated statement, read-only and as one command. Throws an EngineError, with its place in `sql` where it is known. */
  query(sql: string, query: LiveQuery): Promise<LiveResult>;
  /** Whether the conversation is still in order and the next caller may use the connection. */
  readonly usable: boolean;
  close(): Promise<void>;
}

/** Opens a new connection. */
export type Dial = () => Promise<DatabaseConnection>;
