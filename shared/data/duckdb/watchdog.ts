import { DataError } from '../../platform/errors/data-error.ts';

export interface GuardedTask<T> {
  run(): Promise<T>;
  /** Asks the work to stop; it may not be able to. */
  interrupt(): void;
}

export interface WatchdogOptions {
  timeoutMs: number;
  /** Resident memory of the whole process. */
  maxRssMb: number;
  /** How long the work may take to stop after the interrupt. */
  graceMs: number;
  /** What ends work that does not stop, for this reason; SIGKILL of this process when absent. */
  die?: (reason: DataError) => void;
}

const POLL_MS = 20;
/** Memory grows on meanwhile: the process should end itself before somebody else ends it, who does not say why. */
const MEMORY_GRACE_MS = 2_000;

/**
 * Runs work that a statement can turn into a runaway: a single long scalar call neither stops on interrupt nor respects DuckDB's
 * memory limit. At the deadline or above the memory line the work is interrupted and the call throws QUERY_TIMEOUT or
 * OUT_OF_MEMORY; when it has not stopped after `graceMs`, the process ends itself, so it must hold nothing but this work.
 */
export async function runGuarded<T>(task: GuardedTask<T>, options: WatchdogOptions): Promise<T> {
  const die = options.die ?? (() => process.kill(process.pid, 'SIGKILL'));
  const maxRssBytes = options.maxRssMb * 1024 * 1024;
  const startedAt = performance.now();
  let stopped: { at: number; graceMs: number; error: DataError } | undefined;

  const poll = setInterval(() => {
    const now = performance.now();
    if (stopped) {
      // Again and again: an interrupt between two statements of the task hits neither.
      if (now - stopped.at < stopped.graceMs) return task.interrupt();
      clearInterval(poll);
      return die(stopped.error);
    }
    const error = trespass(now - startedAt, options.timeoutMs, maxRssBytes);
    if (!error) return;
    const { graceMs } = options;
    stopped = {
      at: now,
      error,
      graceMs: error.code === 'OUT_OF_MEMORY' ? Math.min(graceMs, MEMORY_GRACE_MS) : graceMs,
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

function trespass(elapsedMs: number, timeoutMs: number, maxRssBytes: number): DataError | undefined {
  if (elapsedMs >= timeoutMs) return new DataError('QUERY_TIMEOUT', `The query took longer than ${timeoutMs} ms.`);
  if (process.memoryUsage.rss() > maxRssBytes)
    return new DataError('OUT_OF_MEMORY', 'The query needs more memory than it may use.');
  return undefined;
}
