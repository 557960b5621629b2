import { rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EngineOptions } from './engine-contract.ts';

export interface FunctionResources {
  /** Names the folder of the function on the scratch disk. */
  name: string;
  memoryMb: number;
  scratchMb: number;
  /** The part of the scratch disk for native copies of tables; none if absent. */
  nativeShare?: number;
  /** The part of the rest for spilling; one half of it caches objects. */
  spillShare: number;
}

export interface FunctionLimits {
  OBJECTS: { folder: string; maxBytes: number };
  NATIVE: { folder: string; maxBytes: number; engine: EngineOptions };
  ENGINE: EngineOptions;
  /** What instances hold that are kept between statements. */
  KEPT: { maxInstances: number; maxBytes: number; maxRssBytes: number; engine: EngineOptions };
  /** A statement beyond these limits is interrupted; the process ends if that does not help. */
  GUARD: { maxRssMb: number; graceMs: number };
  /** A killed process leaves its files to the next one on the same disk. */
  clearScratch(): void;
}

/** How a function that runs statements of readers divides its memory and its scratch disk. */
export function functionLimits({
  name,
  memoryMb,
  scratchMb,
  nativeShare = 0,
  spillShare,
}: FunctionResources): FunctionLimits {
  const scratch = join(tmpdir(), name);
  const restMb = scratchMb * (1 - nativeShare);
  const ENGINE: EngineOptions = {
    // DuckDB's limit does not bound the process: sorts and joins take up to half as much again (measured).
    memoryLimitMb: Math.floor(memoryMb * 0.5),
    threads: Math.max(1, Math.min(availableParallelism(), Math.ceil(memoryMb / 1769))),
    tempDir: scratch,
    maxTempMb: Math.floor(restMb * spillShare),
  };
  return {
    OBJECTS: { folder: join(scratch, 'objects'), maxBytes: restMb * 1024 * 1024 * 0.5 },
    NATIVE: {
      folder: join(scratch, 'native'),
      maxBytes: scratchMb * nativeShare * 1024 * 1024,
      // Beside a statement, which needs most of the memory and of the processors.
      engine: { memoryLimitMb: Math.floor(memoryMb * 0.125), threads: 1, tempDir: scratch, maxTempMb: 0 },
    },
    ENGINE,
    KEPT: {
      maxInstances: 6,
      maxBytes: memoryMb * 1024 * 1024 * 0.2,
      maxRssBytes: memoryMb * 1024 * 1024 * 0.4,
      engine: ENGINE,
    },
    GUARD: { maxRssMb: Math.floor(memoryMb * 0.92), graceMs: 1_000 },
    clearScratch: () => rmSync(scratch, { recursive: true, force: true }),
  };
}
