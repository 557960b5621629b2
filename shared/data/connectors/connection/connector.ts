import type { DataError } from '../../../platform/errors/data-error.ts';
import type { AddressGuard, Scheme } from '../../../platform/net/address-guard.ts';
import type { PlainValue } from '../../sql/positional-parameters.ts';

export interface SourceTimeouts {
  /** From resolving the host name until the log-in is complete. */
  connectMs: number;
  /** One statement or file, including the transfer of its rows. */
  statementMs: number;
}

/** A lock that is held for longer is not worth waiting for. */
export const LOCK_WAIT_MS = 60_000;

export interface ConnectOptions {
  guard: AddressGuard;
  timeouts: SourceTimeouts;
}

/** For sources that are reached by URL. */
export interface WebOptions extends ConnectOptions {
  /** Includes plain HTTP only where private networks may be reached. */
  schemes: readonly Scheme[];
}

export type ConnectionTest =
  | { ok: true; latencyMs: number; serverVersion?: string }
  | { ok: false; code: DataError['code']; message: string };

export type TableKind = 'table' | 'view' | 'materialized_view' | 'foreign_table' | 'file' | 'endpoint';

export interface SourceTable {
  name: string;
  kind: TableKind;
  /** Other tables that also return its rows, since it inherits from them; absent if there are none. */
  inherits?: { schema: string; table: string }[];
  /** Whether it also returns rows of other tables, which are partitions of it or inherit from it. */
  hasParts?: true;
  /** The server's estimate; null if the server has none. */
  estimatedRows?: number | null;
  sizeBytes?: number;
  updatedAt?: string;
}

export interface SourceColumn {
  name: string;
  /** The platform's name of the type. */
  type: string;
  /** The source's name of the type, such as `character varying(20)`. */
  sourceType: string;
  nullable: boolean;
  primaryKey: boolean;
}

/** A page of a list: at most `limit` items after the one named `after`. */
export interface ListPart {
  after?: string;
  limit: number;
}

/** How to run a statement that has passed the SQL check. */
export interface LiveQuery {
  params: readonly PlainValue[];
  /** Maximum number of rows to return; `truncated` is set if there are more. */
  limit: number;
  /** How much the server may send before the next rows are taken; more throws RESULT_TOO_LARGE. */
  batchBytes: number;
  /** IANA name of the time zone in which instants are shown. */
  timezone: string;
  timeoutMs: number;
}

/**
 * Receives the next rows, each a JSON array in the wire format. Further rows are read only after it returns; an error
 * that it throws ends the statement.
 */
export type TakeRows = (rows: readonly string[]) => void | Promise<void>;

export interface LiveEnd {
  columns: { name: string; type: string }[];
  rowCount: number;
  truncated: boolean;
  warnings: string[];
}

/** Operations that every database supports, whatever its protocol. Only one caller may use a connection at a time. */
export interface DatabaseConnection {
  version(): Promise<string>;
  /** Schemas that the role may use, without system schemas, sorted by name. */
  schemas(): Promise<string[]>;
  /** Tables and views of a schema that the role may read, sorted by name. */
  tables(schema: string, part: ListPart): Promise<SourceTable[]>;
  /** Throws NOT_FOUND if the table does not exist. */
  columns(schema: string, table: string): Promise<SourceColumn[]>;
  /**
   * Runs a checked statement, read-only and as a single command. Throws a DataError, with the place in `sql` if the
   * server reports one.
   */
  query(sql: string, query: LiveQuery, take: TakeRows): Promise<LiveEnd>;
  /** Whether the session is intact, so that the next caller may use the connection. */
  readonly usable: boolean;
  /** Closes the connection and cancels the server's work for it where possible. */
  stop(): Promise<void>;
  close(): Promise<void>;
}

/** Opens a new connection. */
export type Dial = () => Promise<DatabaseConnection>;
