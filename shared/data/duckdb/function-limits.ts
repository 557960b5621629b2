import { rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EngineOptions } from './engine-contract.ts';

export interface FunctionResources {
  /** Names the folder of the function on the scratch disk. */
  name: string;
  memoryMb: number;
  scratchMb: number;
  /** The part of the scratch disk for spilling; one half caches objects, and the rest is for other files. */
  spillShare: number;
}

export interface FunctionLimits {
  OBJECTS: { folder: string; maxBytes: number };
  ENGINE: EngineOptions;
  /** A statement beyond these limits is interrupted; the process ends if that does not help. */
  GUARD: { maxRssMb: number; graceMs: number };
  /** A killed process leaves its files to the next one on the same disk. */
  clearScratch(): void;
}

/** How a function that runs statements of readers divides its memory and its scratch disk. */
export function functionLimits({ name, memoryMb, scratchMb, spillShare }: FunctionResources): FunctionLimits {
  const scratch = join(tmpdir(), name);
  return {
    OBJECTS: { folder: join(scratch, 'objects'), maxBytes: scratchMb * 1024 * 1024 * 0.5 },
    ENGINE: {
      // DuckDB's limit does not bound the process: sorts and joins take up to half as much again (measured).
      memoryLimitMb: Math.floor(memoryMb * 0.5),
      threads: Math.max(1, Math.min(availableParallelism(), Math.ceil(memoryMb / 1769))),
      tempDir: scratch,
      maxTempMb: Math.floor(scratchMb * spillShare),
    },
    GUARD: { maxRssMb: Math.floor(memoryMb * 0.92), graceMs: 1_000 },
    clearScratch: () => rmSync(scratch, { recursive: true, force: true }),
  };
}
