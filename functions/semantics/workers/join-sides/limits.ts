import { rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EngineOptions } from '../../../../shared/data/duckdb/engine.ts';
import { environment } from '../../../../shared/platform/http/open-group.ts';

/** The memory of the function in MB, from Lambda's environment. */
const MEMORY_MB = Number(process.env.AWS_LAMBDA_FUNCTION_MEMORY_SIZE ?? 2048);
const SCRATCH_MB = Number(environment('SCRATCH_MB'));

/** The scratch disk: one half caches objects, the other is for spilling and for rows of data sources. */
const SCRATCH = join(tmpdir(), 'join-sides');
export const OBJECTS = { folder: join(SCRATCH, 'objects'), maxBytes: SCRATCH_MB * 1024 * 1024 * 0.5 };

/** A killed process leaves its files to the next one on the same disk. */
export function clearScratch(): void {
  rmSync(SCRATCH, { recursive: true, force: true });
}

/** DuckDB's limit does not bound the process: sorts and joins take up to half as much again (measured). */
export function engineOptions(): EngineOptions {
  return {
    memoryLimitMb: Math.floor(MEMORY_MB * 0.5),
    threads: Math.max(1, Math.min(availableParallelism(), Math.ceil(MEMORY_MB / 1769))),
    tempDir: SCRATCH,
    maxTempMb: Math.floor(SCRATCH_MB * 0.25),
  };
}

/** For the rows of a data source, which pass through it in pieces. */
export const readerOptions = (): EngineOptions => ({ ...engineOptions(), memoryLimitMb: Math.floor(MEMORY_MB * 0.15) });

/** Work beyond these limits is interrupted; the process ends if that does not help. */
export const GUARD = { maxRssMb: Math.floor(MEMORY_MB * 0.92), graceMs: 1_000 };
