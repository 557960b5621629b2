import { setTimeout as sleep } from 'node:timers/promises';

/** A request may take 29 seconds; fifty writers of one record have all had their turn by then. */
const MAX_REQUEST_WAIT_MS = 20_000;
const MAX_REQUEST_PAUSE_MS = 1_000;
const MAX_WORK_PAUSE_MS = 3_000;

export interface Patience {
  /** Ends the tries of work that has a time of its own; without it, they end when a request has to be answered. */
  signal?: AbortSignal;
  maxWaitMs?: number;
}

/**
 * Numbers the tries of a writer that others may keep from writing. Between two tries is a random pause, which may be
 * longer after each, so that many writers do not collide again and again. Ends when there is no more time; throws the
 * reason of an aborted `signal`.
 */
export async function* tries({ signal, maxWaitMs }: Patience = {}): AsyncGenerator<number, void, void> {
  const endsAt = performance.now() + (maxWaitMs ?? (signal ? Number.POSITIVE_INFINITY : MAX_REQUEST_WAIT_MS));
  const [growth, maxPauseMs] = signal ? [4, MAX_WORK_PAUSE_MS] : [2, MAX_REQUEST_PAUSE_MS];
  for (let count = 1; ; count++) {
    signal?.throwIfAborted();
    yield count;
    if (performance.now() > endsAt) return;
    await pause(Math.random() * Math.min(10 * growth ** count, maxPauseMs), signal);
  }
}

async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  try {
    await sleep(ms, undefined, signal ? { signal } : {});
  } catch (cause) {
    signal?.throwIfAborted();
    throw cause;
  }
}
