import type { Column } from '../engine/column-types.ts';
import type { EngineFault, TextPosition } from '../engine/engine-error.ts';
import type { FileFormat } from '../files/formats.ts';

/**
 * What the engine function (the one that carries DuckDB for requests) is asked and answers. It holds no rights beyond
 * reading the data bucket, and may kill itself over a runaway statement: the caller then sees a timeout.
 */
export type EngineRequest = CheckRequest | QueryRequest | InspectRequest;

/** Is each text a single SELECT over the given tables? */
export interface CheckRequest {
  op: 'check';
  statements: { sql: string; tables: string[] }[];
}

export type CheckAnswer = ({ ok: true; tables: string[] } | { ok: false; faults: SqlFault[] })[];

export interface SqlFault {
  code: string;
  message: string;
  position?: TextPosition;
}

export interface TableInput {
  name: string;
  columns: Column[];
  files: { key: string; etag?: string; sizeBytes: number }[];
}

export interface QueryRequest {
  op: 'query';
  sql: string;
  /** Values of `$1`, `$2`, … */
  params: QueryParameter[];
  tables: TableInput[];
  limit: number;
  maxBytes: number;
  timeoutMs: number;
}

export type QueryParameter = string | number | boolean | null;

export interface QueryAnswer {
  columns: Column[];
  /** A JSON array of rows, each an array of values in the wire format. */
  rowsJson: string;
  rowCount: number;
  truncated: boolean;
  warnings: string[];
  /** The given tables that the statement read. */
  tables: string[];
  /** Time in the engine. */
  ms: number;
}

/** What columns does a file of a `file` source have? */
export interface InspectRequest {
  op: 'inspect';
  file: { key: string; etag?: string };
  format: FileFormat;
  options: Record<string, unknown>;
  sampleRows: number;
}

export interface InspectAnswer {
  columns: Column[];
  /** The first rows, as in `QueryAnswer.rowsJson`. */
  rowsJson: string;
}

export type EngineReply<T> =
  | { ok: true; answer: T }
  | { ok: false; code: string; message: string; faults: EngineFault[] };
