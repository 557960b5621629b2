/** A handler that takes longer to load is not waited for any longer. */
const MOST_MS = 5000;

interface Pace {
  /** What the latest start took. */
  startMs: number;
  returnedAt?: number;
}

/**
 * How long a call may wait for a busy environment before another one is started. A start costs the machine more than dozens of
 * short calls do, and its code runs slowly at first. So where environments keep coming back, a call waits for one as long as a start
 * would take, which is at worst twice the shortest wait; where they do not, it waits for nothing. All times in milliseconds, on one
 * clock that never goes back.
 */
export class Patience {
  readonly #paces = new Map<string, Pace>();

  started(revisionId: string, tookMs: number): void {
    const startMs = Math.min(tookMs, MOST_MS);
    this.#paces.set(revisionId, { ...this.#paces.get(revisionId), startMs });
  }

  returned(revisionId: string, now: number): void {
    const pace = this.#paces.get(revisionId);
    if (pace) pace.returnedAt = now;
  }

  forget(revisionId: string): void {
    this.#paces.delete(revisionId);
  }

  /** For how much longer a call that waits since then should wait; 0 to start an environment for it. */
  leftMs(revisionId: string, since: number, now: number): number {
    const pace = this.#paces.get(revisionId);
    if (pace?.returnedAt === undefined) return 0;
    return Math.max(0, Math.min(pace.returnedAt, since) + pace.startMs - now);
  }
}
