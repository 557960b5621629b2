import { join } from 'node:path';
import { runChild } from './child.ts';

const REFERENCE = join(import.meta.dirname, 'references/duckdb-script.ts');

export interface DuckdbScript {
  /** DuckDB's own limit; the platform gives it half of a function's memory. */
  memoryMb: number;
  /** What each new instance runs first. */
  before?: string[];
  statements: string[];
  /** Each statement in an instance of its own, its rows read as JSON: what a query does. */
  apart?: boolean;
  /** A statement for one number, afterwards. */
  check?: string;
}

export interface DuckdbWork {
  /** Of each statement. */
  ms: number[];
  peakMb: number;
  value?: number;
}

/** What the functions `engine` and `run-step` give DuckDB, in MB. */
export const QUERY_MEMORY_MB = 1024;
export const STEP_MEMORY_MB = 2048;

/** Runs statements without a platform, in a process of their own. */
export function duckdbAlone(script: DuckdbScript): Promise<DuckdbWork> {
  return runChild<DuckdbWork>([REFERENCE, JSON.stringify(script)]);
}

/** Writes a Parquet file as a step does. */
export const writeParquet = (select: string, path: string) =>
  `COPY (${select}) TO '${path}' (FORMAT parquet, COMPRESSION zstd)`;

export const total = ({ ms }: DuckdbWork): number => ms.reduce((sum, part) => sum + part, 0);
