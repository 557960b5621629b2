import type { Clock } from '../core/clock.ts';

interface Timer {
  at: number;
  callback: () => void;
}

/**
 * The simulated clock of one execution. It stands still while work is under way. Once only timers are pending, it jumps
 * to the next one.
 */
export class PassingTime implements Clock {
  readonly now: () => number;
  readonly #pass: (milliseconds: number) => void;
  readonly #isAtRest: () => boolean;
  readonly #timers = new Set<Timer>();
  #underWay = 0;
  #isLooking = false;

  /** `pass` moves the clock that `now` reads. `isAtRest` is asked before: time then stands still. */
  constructor(now: () => number, pass: (milliseconds: number) => void, isAtRest: () => boolean) {
    this.now = now;
    this.#pass = pass;
    this.#isAtRest = isAtRest;
  }

  schedule(at: number, callback: () => void): () => void {
    const timer = { at, callback };
    this.#timers.add(timer);
    this.#look();
    return () => this.#timers.delete(timer);
  }

  /** Runs work while the clock stands still. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    this.#underWay += 1;
    try {
      return await work();
    } finally {
      this.#underWay -= 1;
      this.#look();
    }
  }

  /** Makes the work last `milliseconds`; other timers may fire meanwhile. Call it inside `during`. */
  take(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      this.#underWay -= 1;
      this.schedule(this.now() + milliseconds, () => {
        this.#underWay += 1;
        resolve();
      });
    });
  }

  #look(): void {
    if (this.#isLooking || this.#underWay > 0) return;
    this.#isLooking = true;
    // The interpreter itself yields for one turn of the event loop between states.
    setImmediate(() =>
      setImmediate(() => {
        this.#isLooking = false;
        this.#next();
      }),
    );
  }

  #next(): void {
    if (this.#underWay > 0 || this.#isAtRest()) return;
    const [next] = [...this.#timers].sort((a, b) => a.at - b.at);
    if (!next) return;
    this.#timers.delete(next);
    this.#pass(Math.max(0, next.at - this.now()));
    next.callback();
    this.#look();
  }
}
