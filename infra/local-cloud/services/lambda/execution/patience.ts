/** What a start costs by its own time: the first calls of an environment take two to three times as long, in code not yet compiled. */
const STARTS_WORTH = 3;
/** Nobody waits longer than this, however long the handler takes to load. */
const MOST_MS = 5000;

interface Pace {
  /** As long as a call should wait, by what the latest start took. */
  worthMs: number;
  returnedAt?: number;
}

/**
 * How long a call may wait for a busy environment before another one is started. A start costs the machine more than dozens of
 * short calls do. So where environments keep coming back, a call waits for one until the wait is worth a start; where they do not, it
 * waits for nothing. All times in milliseconds, on one clock that never goes back.
 */
export class Patience {
  readonly #paces = new Map<string, Pace>();

  started(revisionId: string, tookMs: number): void {
    const worthMs = Math.min(STARTS_WORTH * tookMs, MOST_MS);
    this.#paces.set(revisionId, { ...this.#paces.get(revisionId), worthMs });
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
    return Math.max(0, Math.min(pace.returnedAt, since) + pace.worthMs - now);
  }
}
