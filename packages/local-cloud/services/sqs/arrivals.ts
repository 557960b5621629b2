import type { Clock } from '../../core/clock.ts';

/** Wakes receivers waiting on a queue when a message becomes receivable. */
export class Arrivals {
  readonly #clock: Clock;
  readonly #waiting = new Map<number, Set<() => void>>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  ring(queueId: number): void {
    for (const wake of this.#waiting.get(queueId) ?? []) wake();
  }

  ringAll(): void {
    for (const queueId of this.#waiting.keys()) this.ring(queueId);
  }

  /** Resolves at the next ring, at `until` (epoch milliseconds) or when the signal aborts. */
  wait(queueId: number, until: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const waiting = this.#waiting.get(queueId) ?? new Set();
      this.#waiting.set(queueId, waiting);
      const wake = () => {
        waiting.delete(wake);
        cancel();
        signal?.removeEventListener('abort', wake);
        resolve();
      };
      const cancel = this.#clock.schedule(until, wake);
      waiting.add(wake);
      signal?.addEventListener('abort', wake, { once: true });
    });
  }
}
