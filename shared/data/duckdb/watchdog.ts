import { DataError } from '../../platform/errors/data-error.ts';

export interface GuardedTask<T> {
  run(): Promise<T>;
  /** Asks the work to stop, which may have no effect. */
  interrupt(): void;
}

export interface WatchdogOptions {
  timeoutMs: number;
  /** Resident memory of the whole process. */
  maxRssMb: number;
  /** How long the work may take to stop after the interrupt. */
  graceMs: number;
  /** Called once when the work has come near its memory limit: frees memory that is held for other work. */
  relieve?: () => void;
  /** Ends work that does not stop. By default, kills this process with the signal in `SIGNALS`. */
  die?: (reason: DataError) => void;
}

const POLL_MS = 20;
/**
 * Memory keeps growing until the work stops. The process should end itself before the operating system kills it without
 * a reason.
 */
const MEMORY_GRACE_MS = 2_000;
/**
 * If memory grows by this share of the limit after the interrupt, there is no time to wait: work can take gigabytes in
 * a second.
 */
const MAX_GROWTH = 0.03;

/** The share of the memory limit at which other memory is freed. */
const NEAR_LIMIT = 0.6;

/** Lambda reports the signal, so the caller can tell the two reasons apart. Both signals kill the process at once. */
export const SIGNALS = { QUERY_TIMEOUT: 'SIGKILL', OUT_OF_MEMORY: 'SIGUSR2' } as const;

/**
 * Runs work that may get out of control: a single long scalar call neither stops on interrupt nor respects DuckDB's
 * memory limit. At the deadline or above the memory limit the work is interrupted, and the call throws QUERY_TIMEOUT or
 * OUT_OF_MEMORY. If it has not stopped after `graceMs`, or soon takes still more memory, the process ends itself, so
 * the process must not run any other work.
 */
export async function runGuarded<T>(task: GuardedTask<T>, options: WatchdogOptions): Promise<T> {
  const die =
    options.die ??
    (({ code }) => process.kill(process.pid, SIGNALS[code === 'OUT_OF_MEMORY' ? code : 'QUERY_TIMEOUT']));
  const maxRssBytes = options.maxRssMb * 1024 * 1024;
  const startedAt = performance.now();
  let relieve = options.relieve;
  let stopped: { at: number; graceMs: number; maxRssBytes: number; error: DataError } | undefined;

  const poll = setInterval(() => {
    const now = performance.now();
    if (stopped) {
      // Repeated, because an interrupt between two statements has no effect.
      const mayStop = now - stopped.at < stopped.graceMs && process.memoryUsage.rss() <= stopped.maxRssBytes;
      if (mayStop) return task.interrupt();
      clearInterval(poll);
      return die(stopped.error);
    }
    if (relieve && process.memoryUsage.rss() > maxRssBytes * NEAR_LIMIT) {
      relieve();
      relieve = undefined;
    }
    const error = exceededLimit(now - startedAt, options.timeoutMs, maxRssBytes);
    if (!error) return;
    const isTooLarge = error.code === 'OUT_OF_MEMORY';
    stopped = {
      at: now,
      error,
      graceMs: isTooLarge ? Math.min(options.graceMs, MEMORY_GRACE_MS) : options.graceMs,
      maxRssBytes: isTooLarge ? process.memoryUsage.rss() + maxRssBytes * MAX_GROWTH : Number.POSITIVE_INFINITY,
    };
    task.interrupt();
  }, POLL_MS);

  try {
    const result = await task.run();
    if (stopped) throw stopped.error;
    return result;
  } catch (error) {
    throw stopped?.error ?? error;
  } finally {
    clearInterval(poll);
  }
}

function exceededLimit(elapsedMs: number, timeoutMs: number, maxRssBytes: number): DataError | undefined {
  if (elapsedMs >= timeoutMs) return new DataError('QUERY_TIMEOUT', `The query took longer than ${timeoutMs} ms.`);
  if (process.memoryUsage.rss() > maxRssBytes)
    return new DataError('OUT_OF_MEMORY', 'The query needs more memory than it may use.');
  return undefined;
}
