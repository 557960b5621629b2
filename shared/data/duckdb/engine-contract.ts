import type { DuckDBType, DuckDBValue } from '@duckdb/node-api';
import type { Column } from './column-types.ts';
import type { EngineParameters } from './parameters.ts';
import type { CsvShape, RowShape } from './row-text.ts';

export interface EngineOptions {
  /** DuckDB's own limit. The process may need half as much again (see the watchdog). */
  memoryLimitMb: number;
  threads: number;
  /** A writable directory, in which the engine creates its own directory for spilled data. */
  tempDir: string;
  /** How much the engine may spill; 4096 by default. */
  maxTempMb?: number;
  /** IANA name of the session's time zone, used to show and to decompose instants; UTC by default. */
  timezone?: string;
}

/** The table of a DuckDB file with the rows of a version (see `native-copy.ts`). */
export const NATIVE_TABLE = 'rows';

/** What conditions on the rows that are copied call their table. */
export const ROWS_TO_KEEP = '#rows';

export interface Restriction {
  /** Columns to keep, of those that there are; all by default. */
  columns?: readonly string[];
  /** A trusted SQL condition over `ROWS_TO_KEEP`, never the user's text. Rows for which it is not true are left out. */
  where?: string;
  params?: EngineParameters;
  /** Tables that the condition reads, which are there only while the rows are copied. */
  related?: readonly RelatedFiles[];
  /** Keeps at most so many rows. */
  limit?: number;
}

export interface RelatedFiles {
  name: string;
  columns: readonly Column[];
  files: readonly string[];
}

export interface AttachOptions {
  emptySchema?: readonly Column[];
  only?: Restriction;
  numbered?: string;
  /** A native copy of all rows of the files, which is read instead of them. */
  nativeCopy?: string;
}

export interface QueryOptions {
  params?: EngineParameters;
  /** Maximum number of rows to return; `truncated` is set if there are more. */
  limit: number;
  /** Maximum size of `rowsJson` in UTF-8 bytes; more throws RESULT_TOO_LARGE. */
  maxBytes: number;
}

export interface QueryResult {
  columns: Column[];
  /** A JSON array of arrays in the wire format. */
  rowsJson: string;
  rowCount: number;
  truncated: boolean;
  /** `NON_FINITE_AS_NULL` means that a NaN or an infinity is shown as null. */
  warnings: 'NON_FINITE_AS_NULL'[];
}

/** Describes a result before its rows are read. */
export interface ResultShape {
  columns: Column[];
  types: readonly DuckDBType[];
}

export interface RowBatch {
  /** One text per row. */
  rows: string[];
  /** Whether a NaN or an infinity is shown as null. */
  lossy: boolean;
}

export interface CopyResult {
  rows: number;
  bytes: number;
  columns: Column[];
}

/** What the engine knows about the values of a column that it has written. */
export interface WrittenBounds {
  /** As the engine writes values; texts may be cut off from `BOUND_BYTES` on. Absent if there are none. */
  min?: string;
  max?: string;
  nulls: number;
}

/** Shorter bounds are exact. */
export const BOUND_BYTES = 250;

export interface WrittenFile extends CopyResult {
  /** The bounds of columns by their names, if requested; nested columns have none. */
  bounds: ReadonlyMap<string, WrittenBounds>;
}

export interface CopyOptions {
  params?: EngineParameters;
  path: string;
  rowGroupSize?: number;
  /** Also returns the bounds of columns. */
  withBounds?: boolean;
}

export type CopyListener = (path: string, written: Promise<unknown>) => void;

/** An in-memory DuckDB instance: load, lock, query, close. It runs one call at a time. */
export interface Engine {
  /**
   * Makes exactly these Parquet files readable as a table. Without files the table is empty and has the columns of
   * `emptySchema`. With `only`, the permitted rows are copied into the instance, and the files themselves cannot be
   * read. `numbered` names an additional column with an integer for each row, which increases in the order of the files
   * and is the same each time.
   */
  attach(name: string, parquetFiles: readonly string[], options?: AttachOptions): Promise<void>;
  /** Irreversibly blocks access to everything but the attached files, temporary paths and `outputs`. */
  lock(outputs?: readonly string[]): Promise<void>;
  /** Returns the columns of a single SELECT without running it. */
  describe(sql: string, params?: EngineParameters): Promise<Column[]>;
  query(sql: string, options: QueryOptions): Promise<QueryResult>;
  /** Returns the columns of a single SELECT, and its first `limit` rows as texts of the given shape, in batches. */
  rowTexts(
    sql: string,
    options: { params?: EngineParameters; limit: number; shape: RowShape },
  ): Promise<ResultShape & { batches: AsyncIterable<RowBatch> }>;
  /** Stores the first `limit` rows of a single SELECT as a temporary table. */
  keep(table: string, sql: string, options: { params?: EngineParameters; limit: number }): Promise<ResultShape>;
  /**
   * Stores the first `limit` rows of a single SELECT as a temporary table of lines of CSV without their ends, with the
   * columns `line` and `lossy`: whether a NaN or an infinity is shown as null. Returns the columns of the SELECT.
   */
  keepLines(
    table: string,
    sql: string,
    options: { params?: EngineParameters; limit: number; shape: CsvShape },
  ): Promise<Column[]>;
  /** Rows of an internal statement as the library's values, in batches of columns. */
  columnChunks(sql: string): AsyncIterable<readonly (readonly DuckDBValue[])[]>;
  /** Values of an internal statement with a single column of type UINTEGER without nulls, in batches. */
  smallIntegers(sql: string): AsyncIterable<Uint32Array>;
  /** The columns of an internal statement with the engine's types. */
  shape(sql: string, params?: EngineParameters): Promise<ResultShape>;
  /** Writes the rows of a single SELECT as Parquet (zstd). If it fails, no file is left at `path`. */
  copyToParquet(sql: string, options: CopyOptions): Promise<WrittenFile>;
  /** Calls the listener with each file that `copyToParquet` begins to write, and with the end of writing. */
  onCopy(listener: CopyListener): void;
  /** Returns DuckDB's parse tree of a text as JSON, without running it. */
  parseTree(sql: string): Promise<string>;
  /** Runs an internal statement (never a user's) and returns its rows as JSON values. */
  run(sql: string, params?: EngineParameters): Promise<unknown[][]>;
  /**
   * Returns a path for a file that is removed when the engine is closed or reset, unless it is moved away. A locked
   * engine can read and write it.
   */
  temporaryPath(extension: string): string;
  /** The progress of the running call, 0 to 100; undefined if the engine cannot report it. */
  percent(): number | undefined;
  /**
   * Stops the running call, which then throws QUERY_TIMEOUT. A single long function call cannot be stopped (see the
   * watchdog).
   */
  interrupt(): void;
  close(): Promise<void>;
}

/** An engine that can do several pieces of work of one owner, one after the other. */
export interface ReusableEngine extends Engine {
  readonly isLocked: boolean;
  /** How many threads it uses; a lock fixes the number. */
  readonly threads: number;
  /** Throws if the engine is locked with a different number of threads. */
  useThreads(count: number): Promise<void>;
  /** Prepares for a lock that outlasts the current work: files are attached as links, which the next reset removes. */
  confine(): void;
  /**
   * Removes the files, tables and views of the last work, which must not have created anything else. A locked engine
   * stays locked. Returns false if the engine cannot be reused and must be closed.
   */
  reset(): Promise<boolean>;
}
