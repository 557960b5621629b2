import type { Column } from '../../data/duckdb/column-types.ts';
import type { BoundParameter, QueryParameter, QueryParameters } from '../../data/duckdb/parameters.ts';
import type { ResultFileFormat, Spreadsheet } from '../../data/duckdb/result-formats.ts';
import type { FileOptions } from '../../data/files/file-options.ts';
import type { FileFormat } from '../../data/files/formats.ts';
import type { StatementLineage } from '../../data/lineage/column-lineage.ts';
import type { CheckCodeRequest, CodeCheck } from '../../data/sandbox/check-code.ts';
import type { ConsoleLine } from '../../data/sandbox/messages.ts';
import type { CheckRequest } from '../../data/sql/statement-check.ts';
import type { PrunableFile } from '../../data/tables/prune.ts';
import type { DataIssue } from '../../platform/errors/data-error.ts';

/**
 * Requests and answers of the engine function, which runs DuckDB for endpoint groups. It has access only to the data
 * bucket. It kills itself if a statement does not stop; the caller then gets a timeout.
 */
export type EngineRequest =
  | StartRequest
  | CheckRequest
  | CheckCodeRequest
  | RunCodeRequest
  | DescribeRequest
  | StatementsRequest
  | QueryRequest
  | FileRequest
  | InspectRequest;

/** Only starts an environment of the function, which opens an engine ahead. */
export interface StartRequest {
  op: 'start';
}

/** Runs code on the first batch of rows of a table. */
export interface RunCodeRequest {
  op: 'run-code';
  code: CodeCheck;
  /** The second argument of the author's function. */
  context: Record<string, unknown>;
  input: TableInput;
  /** The columns of the answer; those of the input if absent. */
  output?: Column[];
  memoryMb: number;
  seed: string;
  nowMs: number;
  limit: number;
  maxBytes: number;
  timeoutMs: number;
}

export interface RunCodeAnswer extends QueryAnswer {
  /** The console output of the code. */
  lines: ConsoleLine[];
}

/** Describes the columns of a statement, without running it or reading files. */
export interface DescribeRequest {
  op: 'describe';
  sql: string;
  params: QueryParameters;
  tables: Omit<TableInput, 'files' | 'only'>[];
}

export interface DescribeAnswer {
  columns: Column[];
  tables: string[];
  /** The names of the bound parameters: `1` for `$1`, `name` for `$name`. */
  parameters: string[];
}

/** Analyses statements over the same tables, without running them or reading files. */
export interface StatementsRequest {
  op: 'statements';
  /** Parameters without a value are null. */
  statements: { sql: string; params: Readonly<Record<string, QueryParameter>>; mayFail?: true }[];
  tables: Pick<TableInput, 'name' | 'columns'>[];
}

export interface StatementAnalysis {
  /** The names of the tables that the statement reads. */
  tables: string[];
  columns: Column[];
  lineage: StatementLineage;
}

/** Null for a statement with errors. */
export type StatementsAnswer = (StatementAnalysis | null)[];

export interface TableInput {
  name: string;
  columns: Column[];
  /** Files with bounds and form are read only if the statement needs them. */
  files: ({ key: string; etag?: string; sizeBytes: number } & PrunableFile)[];
  /** What the caller may see of the table; all of it if absent. */
  only?: RowRestriction;
  /** Computes the rows of a table that has no files. */
  computed?: ComputedRows;
}

/** A statement of a run, and the tables that it reads. */
export type ComputedRows = Pick<QueryRequest, 'sql' | 'mayFail' | 'params' | 'tables'>;

/** The part of a table that may be read, which is copied before the statement runs. */
export interface RowRestriction {
  /** The names of columns. */
  columns: string[];
  /** A trusted condition; rows for which it is not true are left out. */
  where: string;
  params: (string | readonly string[])[];
  /** Tables that the condition reads besides, which are gone before the statement runs. */
  related: RelatedTable[];
  /** Copies at most so many rows, for statements that need no more. */
  limit?: number;
}

/** Its name is none that a dataset can have. */
export type RelatedTable = Pick<TableInput, 'name' | 'columns'> & {
  files: { key: string; etag?: string; sizeBytes: number }[];
};

export interface QueryRequest {
  op: 'query';
  sql: string;
  /** Set for a compiled statement whose texts were checked one by one: the functions around them may fail it. */
  mayFail?: true;
  params: QueryParameters | BoundParameter[];
  tables: TableInput[];
  limit: number;
  maxBytes: number;
  timeoutMs: number;
  /** An IANA name; UTC if absent. */
  timezone?: string;
  /**
   * The workspace of a caller who may see all of the tables. An instance over the same versions may be kept for later
   * statements of such callers.
   */
  keepFor?: string;
}

interface Answer {
  columns: Column[];
  rowCount: number;
  truncated: boolean;
  warnings: string[];
  /** The names of the tables that the statement has read. */
  tables: string[];
  /** The size of the files that it has read. */
  readBytes: number;
  /** The time in the engine. */
  ms: number;
}

export interface QueryAnswer extends Answer {
  /** A JSON array of rows, each an array of values in the wire format. */
  rowsJson: string;
}

/** A query whose result is a file, which is stored under `key` if it has more than `inlineBytes`. */
export interface FileRequest extends Omit<QueryRequest, 'op'> {
  op: 'file';
  file: { format: ResultFileFormat; key: string; inlineBytes: number; spreadsheet?: Spreadsheet | undefined };
}

export interface FileAnswer extends Answer {
  bytes: number;
  /** The content of the file in base64; null if it is in the bucket. */
  content: string | null;
}

/** Reads the columns and first rows of a file of a `file` source. */
export interface InspectRequest {
  op: 'inspect';
  file: { key: string; etag?: string };
  format: FileFormat;
  /** Whether the content may show another format. */
  isHint?: boolean;
  compression?: 'gzip';
  options: FileOptions;
  sampleRows: number;
}

export interface InspectAnswer {
  columns: Column[];
  /** The first rows, as in `QueryAnswer.rowsJson`. */
  rowsJson: string;
  /** The sheets of a workbook. */
  sheets?: { name: string; isHidden: boolean }[];
}

export type EngineReply<T> =
  | { ok: true; answer: T }
  | { ok: false; code: string; message: string; issues: DataIssue[] };
