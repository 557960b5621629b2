/** Time as the local cloud sees it. Tests pass a `ManualClock` and move it; everything else passes `systemClock`. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Runs `callback` once, not before `at` (epoch milliseconds). The returned function cancels it. */
  schedule(at: number, callback: () => void): () => void;
}

/** `setTimeout` overflows beyond this many milliseconds and would fire at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => Date.now(),
  schedule(at, callback) {
    let timer: NodeJS.Timeout;
    const arm = () => {
      const remaining = at - Date.now();
      timer =
        remaining > MAX_TIMER_MS
          ? setTimeout(arm, MAX_TIMER_MS)
          : setTimeout(callback, Math.max(0, Math.ceil(remaining)));
    };
    arm();
    return () => clearTimeout(timer);
  },
};

/** A clock that stands still until `advance` moves it; due callbacks run in the order of their instants. */
export class ManualClock implements Clock {
  #now: number;
  #timers = new Set<{ at: number; callback: () => void }>();

  constructor(start = Date.UTC(2026, 0, 1)) {
    this.#now = start;
  }

  now(): number {
    return this.#now;
  }

  schedule(at: number, callback: () => void): () => void {
    const timer = { at, callback };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  }

  /** Moves time forward, running what falls due on the way and letting promises settle in between. */
  async advance(milliseconds: number): Promise<void> {
    const end = this.#now + milliseconds;
    for (;;) {
      await new Promise((resolve) => setImmediate(resolve));
      const next = [...this.#timers].filter((timer) => timer.at <= end).sort((a, b) => a.at - b.at)[0];
      if (!next) break;
      this.#timers.delete(next);
      this.#now = Math.max(this.#now, next.at);
      next.callback();
    }
    this.#now = end;
  }
}

/** An instant in ISO 8601 to the second, such as `2026-01-01T00:00:00Z`. */
export function toTheSecond(instant: number): string {
  return new Date(instant).toISOString().replace(/\.\d+Z$/, 'Z');
}
