import type { Column } from '../duckdb/column-types.ts';

/** Settings with which the thread of the sandbox is started. */
export interface SandboxSettings {
  code: string;
  language: 'javascript' | 'typescript';
  /** The name of the function that the code declares. */
  entrypoint: string;
  /** The function's second argument. */
  context: Record<string, unknown>;
  inputColumns: readonly Column[];
  outputColumns: readonly Column[];
  memoryMb: number;
  /** Limit of the processor time for one batch, and for parsing the code. */
  batchMs: number;
  /** The seed of `Math.random` and the fixed time of `Date`, so that a repeated attempt produces the same rows. */
  seed: string;
  nowMs: number;
}

/** What a thread is started with: its settings and the compiled interpreter. */
export interface SandboxStart {
  settings: SandboxSettings;
  engine: WebAssembly.Module;
}

export type SandboxErrorCode = 'CODE_ERROR' | 'TIMEOUT' | 'OUT_OF_MEMORY';

/** A line that the code wrote to its console. */
export interface ConsoleLine {
  level: 'info' | 'warn' | 'error';
  message: string;
}

/** The rows of one batch: a JSON array of arrays of values, in the order of `inputColumns`. */
export type ToSandbox = string;

export type FromSandbox =
  /** From here on the time of the code counts; `task` is the thread as `processorMs` knows it. */
  | { kind: 'started'; task?: string }
  | { kind: 'ready'; lines: ConsoleLine[] }
  | { kind: 'rows'; csv: string; rows: number; lines: ConsoleLine[] }
  | { kind: 'failed'; code: SandboxErrorCode; message: string; position?: CodePosition; lines: ConsoleLine[] };

/** A position in the author's code. Both numbers start at 1. */
export interface CodePosition {
  line: number;
  column: number;
}
