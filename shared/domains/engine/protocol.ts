import type { Column } from '../../data/duckdb/column-types.ts';
import type { BoundParameter, QueryParameters } from '../../data/duckdb/parameters.ts';
import type { ResultFileFormat } from '../../data/duckdb/result-formats.ts';
import type { FileFormat } from '../../data/files/formats.ts';
import type { CheckCodeRequest, CodeCheck } from '../../data/sandbox/check-code.ts';
import type { ConsoleLine } from '../../data/sandbox/messages.ts';
import type { CheckRequest } from '../../data/sql/statement-check.ts';
import type { PrunableFile } from '../../data/tables/prune.ts';
import type { DataIssue } from '../../platform/errors/data-error.ts';
import type { Dag, PortableStep, ReferenceValues, StepLineage } from '../pipelines/index.ts';
/**
 * What the engine function (the one that carries DuckDB for requests) is asked and answers. It holds no rights beyond
 * reading the data bucket, and may kill itself over a runaway statement: the caller then sees a timeout.
 */
export type EngineRequest =
  | CheckRequest
  | CheckCodeRequest
  | RunCodeRequest
  | DescribeRequest
  | QueryRequest
  | FileRequest
  | InspectRequest
  | LineageRequest
  | PortableRequest;

/** What would a code make of the first batch of a table's rows? */
export interface RunCodeRequest {
  op: 'run-code';
  code: CodeCheck;
  /** The second argument of the author's function. */
  context: Record<string, unknown>;
  input: TableInput;
  /** The columns of the answer; those of the input when absent. */
  output?: Column[];
  memoryMb: number;
  seed: string;
  nowMs: number;
  limit: number;
  maxBytes: number;
  timeoutMs: number;
}

export interface RunCodeAnswer extends QueryAnswer {
  /** What the code wrote to its console. */
  lines: ConsoleLine[];
}

/** What columns would the statement have? It is not run and no file is read. */
export interface DescribeRequest {
  op: 'describe';
  sql: string;
  params: QueryParameters;
  tables: Omit<TableInput, 'files'>[];
}

export interface DescribeAnswer {
  columns: Column[];
  tables: string[];
  /** Names of the bound parameters: `1` for `$1`, `name` for `$name`. */
  parameters: string[];
}

export interface TableInput {
  name: string;
  columns: Column[];
  /** Those with bounds and form are read only where a statement needs them. */
  files: ({ key: string; etag?: string; sizeBytes: number } & PrunableFile)[];
}

export interface QueryRequest {
  op: 'query';
  sql: string;
  /** The statement was compiled around texts of authors that the gate has checked each by itself: it may call what fails it. */
  mayFail?: true;
  params: QueryParameters | BoundParameter[];
  tables: TableInput[];
  limit: number;
  maxBytes: number;
  timeoutMs: number;
  /** IANA name; UTC when absent. */
  timezone?: string;
}

interface Answer {
  columns: Column[];
  rowCount: number;
  truncated: boolean;
  warnings: string[];
  /** The given tables that the statement read. */
  tables: string[];
  /** Size of the files that it needed of them. */
  readBytes: number;
  /** Time in the engine. */
  ms: number;
}

export interface QueryAnswer extends Answer {
  /** A JSON array of rows, each an array of values in the wire format. */
  rowsJson: string;
}

/** The same with the result as a file, which is put under `key` when it has more than `inlineBytes`. */
export interface FileRequest extends Omit<QueryRequest, 'op'> {
  op: 'file';
  file: { format: ResultFileFormat; key: string; inlineBytes: number };
}

export interface FileAnswer extends Answer {
  bytes: number;
  /** The file's content in base64; null when it lies in the bucket. */
  content: string | null;
}

/** What columns does a file of a `file` source have? */
export interface InspectRequest {
  op: 'inspect';
  file: { key: string; etag?: string };
  format: FileFormat;
  compression?: 'gzip';
  options: Record<string, unknown>;
  sampleRows: number;
}

export interface InspectAnswer {
  columns: Column[];
  /** The first rows, as in `QueryAnswer.rowsJson`. */
  rowsJson: string;
}

/** Where do the columns of each step of a sound definition come from? `columns` are those of extracts, by step. */
export interface LineageRequest {
  op: 'lineage';
  dag: Dag;
  columns: Record<string, Column[]>;
}

export type LineageAnswer = StepLineage[];

/** Can a transform_sql step move to Athena? Nothing is run and no file is read. */
export interface PortableRequest {
  op: 'portable';
  config: Record<string, unknown>;
  /** The columns of each input, by alias. */
  inputs: Record<string, Column[]>;
  values: ReferenceValues;
}

export type PortableAnswer = PortableStep;

export type EngineReply<T> =
  | { ok: true; answer: T }
  | { ok: false; code: string; message: string; issues: DataIssue[] };
