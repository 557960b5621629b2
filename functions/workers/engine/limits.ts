import { availableParallelism, tmpdir } from 'node:os';
import type { EngineOptions } from '../../../shared/engine/engine.ts';

/** The function's memory in MB, as Lambda tells it. */
const MEMORY_MB = Number(process.env.AWS_LAMBDA_FUNCTION_MEMORY_SIZE ?? 2048);

/** DuckDB's limit is not the process's: sorting and joining take up to half as much again (measured). */
export function engineOptions(): EngineOptions {
  return {
    memoryLimitMb: Math.floor(MEMORY_MB * 0.5),
    threads: Math.max(1, Math.min(availableParallelism(), Math.ceil(MEMORY_MB / 1769))),
    tempDir: tmpdir(),
  };
}

/** A statement that goes beyond these is interrupted, and the process ended if that does not help. */
export const GUARD = { maxRssMb: Math.floor(MEMORY_MB * 0.92), graceMs: 1_000 };
