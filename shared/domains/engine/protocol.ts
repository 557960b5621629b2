import type { Column } from '../../data/duckdb/column-types.ts';
import type { TypedParameter } from '../../data/duckdb/parameters.ts';
import type { ResultFileFormat } from '../../data/duckdb/result-formats.ts';
import type { FileFormat } from '../../data/files/formats.ts';
import type { ConsoleLine } from '../../data/sandbox/messages.ts';
import type { PrunableFile } from '../../data/tables/prune.ts';
import type { EngineFault, TextPosition } from '../../platform/errors/data-error.ts';
import type { Dag } from '../pipelines/dag.ts';
import type { StepLineage } from '../pipelines/dag-lineage.ts';
import type { PortableStep } from '../pipelines/portable-step.ts';
import type { ReferenceValues } from '../pipelines/references.ts';

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

/** Is each text a single SELECT over the given tables, or in the dialect of a source, or a pattern or a path of JSON? A source's tables are its own affair. */
export interface CheckRequest {
  op: 'check';
  statements: { sql: string; tables: string[]; dialect?: SqlDialect | 'mysql_condition' | 're2' | 'json_path' }[];
}

export type SqlDialect = 'duckdb' | 'postgres' | 'mysql';

export type CheckAnswer = (
  | {
      ok: true;
      sql: string;
      tables: string[];
      /** Names of its parameters: `1` for `$1`, `name` for `$name`. Those of MySQL are not told. */
      parameters: string[];
    }
  | { ok: false; faults: SqlFault[] }
)[];

/** Can each code be read, and does it declare its function? */
export interface CheckCodeRequest {
  op: 'check-code';
  texts: CodeCheck[];
}

export interface CodeCheck {
  code: string;
  language: 'javascript' | 'typescript';
  entrypoint: string;
}

/** The faults of each code. */
export type CheckCodeAnswer = SqlFault[][];

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

export interface SqlFault {
  code: string;
  message: string;
  position?: TextPosition;
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
  /** The statement was compiled around texts of authors that the gate has judged each by itself: it may call what fails it. */
  mayFail?: true;
  params: QueryParameters | BoundParameter[];
  tables: TableInput[];
  limit: number;
  maxBytes: number;
  timeoutMs: number;
  /** IANA name; UTC when absent. */
  timezone?: string;
}

export type QueryParameter = string | number | boolean | null | TypedParameter;
/** What a reference of a pipeline may stand for: lists too. */
export type BoundParameter = QueryParameter | readonly BoundParameter[];
/** Values of `$1`, `$2`, …, or of `$name`s by their names. */
export type QueryParameters = QueryParameter[] | Record<string, QueryParameter>;

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
  | { ok: false; code: string; message: string; faults: EngineFault[] };
