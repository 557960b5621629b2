import type { Clock } from '../clock.ts';

/** Timers by key, at most one per key. */
export class Alarms {
  readonly #clock: Clock;
  readonly #pending = new Map<string, () => void>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Replaces the timer of the key; `at` undefined only clears it. */
  set(key: string, at: number | undefined, ring: (at: number) => void): void {
    this.clear(key);
    if (at === undefined) return;
    const cancel = this.#clock.schedule(at, () => {
      this.#pending.delete(key);
      ring(at);
    });
    this.#pending.set(key, cancel);
  }

  clear(key: string): void {
    this.#pending.get(key)?.();
    this.#pending.delete(key);
  }

  close(): void {
    for (const cancel of this.#pending.values()) cancel();
    this.#pending.clear();
  }
}
