import { availableParallelism } from 'node:os';
import type { DataError } from '../../platform/errors/data-error.ts';
import { type Engine, type EngineOptions, openEngine } from './engine.ts';
import type { EngineUse, WarmPool } from './warm-pool.ts';
import { runGuarded } from './watchdog.ts';

export interface EngineResources {
  /** Memory of the whole function. */
  memoryMb: number;
  tempDir: string;
  /** Size of the whole disk on which `tempDir` lies. */
  scratchMb: number;
  /** Engines with the `guardedOptions` of these resources, opened ahead. */
  engines?: WarmPool | undefined;
  /** If set, the engine comes from the pool, and later work of the same owner may reuse it. */
  use?: EngineUse | undefined;
}

export interface EngineLimits {
  timeoutMs: number;
  /** Aborts the work with its reason. */
  signal: AbortSignal;
  /** Ends work that stops neither at its deadline nor at its memory limit; see `runGuarded`. */
  die?: (reason: DataError) => void;
  /** How long the work may take to stop; 5 seconds if absent. */
  graceMs?: number | undefined;
}

/** DuckDB's limit is lower than the process's, because sorting and joining use up to half as much again (measured). */
const ENGINE_SHARE = 0.5;
/** The rest of the disk is for cached objects and for results. */
const SPILL_SHARE = 0.4;
const MAX_OF_MEMORY = 0.92;
const GRACE_MS = 5_000;
/** Memory at which Lambda provides one full processor. */
const MB_PER_CPU = 1769;

/** The options of an engine that has these resources for itself. */
export function guardedOptions({
  memoryMb,
  tempDir,
  scratchMb,
}: Pick<EngineResources, 'memoryMb' | 'tempDir' | 'scratchMb'>): EngineOptions {
  return {
    memoryLimitMb: Math.floor(memoryMb * ENGINE_SHARE),
    threads: Math.max(1, Math.min(availableParallelism(), Math.ceil(memoryMb / MB_PER_CPU))),
    tempDir,
    maxTempMb: Math.floor(scratchMb * SPILL_SHARE),
  };
}

/**
 * Runs `work` with an engine that is closed or given back afterwards. The work is stopped if it takes too long, needs
 * too much memory, or is aborted.
 */
export async function withGuardedEngine<T>(
  resources: EngineResources,
  limits: EngineLimits,
  work: (engine: Engine) => Promise<T>,
): Promise<T> {
  const { engine, end } = await openFor(resources);
  let succeeded = false;
  try {
    const result = await abortable(engine, limits.signal, () =>
      runGuarded(
        { run: () => work(engine), interrupt: () => engine.interrupt() },
        {
          timeoutMs: limits.timeoutMs,
          maxRssMb: Math.floor(resources.memoryMb * MAX_OF_MEMORY),
          graceMs: limits.graceMs ?? GRACE_MS,
          ...(limits.die ? { die: limits.die } : {}),
        },
      ),
    );
    succeeded = true;
    return result;
  } finally {
    await end(succeeded);
  }
}

interface OpenedEngine {
  engine: Engine;
  end(succeeded: boolean): Promise<void>;
}

async function openFor(resources: EngineResources): Promise<OpenedEngine> {
  const { engines, use } = resources;
  if (engines && use) {
    const engine = await engines.takeFor(use);
    return { engine, end: (succeeded) => (succeeded ? engines.giveBack(engine, use) : engine.close()) };
  }
  const engine = await (engines?.take() ?? openEngine(guardedOptions(resources)));
  return { engine, end: () => engine.close() };
}

async function abortable<T>(engine: Engine, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  let again: NodeJS.Timeout | undefined;
  const { promise: stopped, reject } = Promise.withResolvers<never>();
  const stop = () => {
    // Repeated, because an interrupt between two statements has no effect.
    again = setInterval(() => engine.interrupt(), 50);
    engine.interrupt();
    reject(signal.reason);
  };
  signal.addEventListener('abort', stop, { once: true });
  stopped.catch(() => undefined);
  // An abort while the engine was opened fires no event any more.
  signal.throwIfAborted();
  const running = work();
  try {
    return await Promise.race([running, stopped]);
  } finally {
    // The engine is closed or given back next, so running calls must have ended.
    await running.catch(() => undefined);
    // A later abort would interrupt the next work of the engine.
    signal.removeEventListener('abort', stop);
    clearInterval(again);
  }
}
