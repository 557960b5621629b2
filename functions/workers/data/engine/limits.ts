import { rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EngineOptions } from '../../../../shared/data/duckdb/engine.ts';
import { environment } from '../../../../shared/platform/http/open-group.ts';

/** The function's memory in MB, as Lambda tells it. */
const MEMORY_MB = Number(process.env.AWS_LAMBDA_FUNCTION_MEMORY_SIZE ?? 2048);

const SCRATCH_MB = Number(environment('SCRATCH_MB'));

/** Where everything on the scratch disk goes: half of it for copies of objects, half for spilling. */
const SCRATCH = join(tmpdir(), 'engine');
export const OBJECTS = { folder: join(SCRATCH, 'objects'), maxBytes: SCRATCH_MB * 1024 * 1024 * 0.5 };

/** A process that was ended leaves its files to the next one on the same disk. */
export function clearScratch(): void {
  rmSync(SCRATCH, { recursive: true, force: true });
}

/** DuckDB's limit is not the process's: sorting and joining take up to half as much again (measured). */
export function engineOptions(): EngineOptions {
  return {
    memoryLimitMb: Math.floor(MEMORY_MB * 0.5),
    threads: Math.max(1, Math.min(availableParallelism(), Math.ceil(MEMORY_MB / 1769))),
    tempDir: SCRATCH,
    maxTempMb: Math.floor(SCRATCH_MB * 0.5),
  };
}

/** A statement that goes beyond these is interrupted, and the process ended if that does not help. */
export const GUARD = { maxRssMb: Math.floor(MEMORY_MB * 0.92), graceMs: 1_000 };
