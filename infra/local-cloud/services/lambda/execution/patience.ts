/**
 * Cost of a start in multiples of its duration: the first calls of an environment take two to three times as long, in
 * code not yet compiled.
 */
const STARTS_WORTH = 3;
/** The maximum wait, however long the handler takes to load. */
const MAX_MS = 5000;

interface Pace {
  /** How long a call should wait, by the duration of the latest start. */
  worthMs: number;
  returnedAt?: number;
  /** When an environment was last started. */
  startedAt?: number;
}

/**
 * How long a call may wait for a busy environment before another one is started. A start costs the machine more than
 * dozens of short calls. So where environments are released often, a call waits for one until the wait is worth a
 * start; otherwise it does not wait. Environments beyond the number of processors mostly take turns, so the wait for each
 * of them is longer than for the one before. All times in milliseconds, on a monotonic clock.
 */
export class Patience {
  readonly #paces = new Map<string, Pace>();
  readonly #processors: number;

  constructor(processors: number) {
    this.#processors = processors;
  }

  /** The calls that still wait give the new environment the time to be worth it. */
  starting(revisionId: string, now: number): void {
    const pace = this.#paces.get(revisionId);
    if (pace) pace.startedAt = now;
  }

  started(revisionId: string, tookMs: number): void {
    const worthMs = Math.min(STARTS_WORTH * tookMs, MAX_MS);
    this.#paces.set(revisionId, { ...this.#paces.get(revisionId), worthMs });
  }

  returned(revisionId: string, now: number): void {
    const pace = this.#paces.get(revisionId);
    if (pace) pace.returnedAt = now;
  }

  forget(revisionId: string): void {
    this.#paces.delete(revisionId);
  }

  /**
   * The remaining wait of a call that has waited since then, while the revision has so many environments; 0 means to
   * start another one.
   */
  leftMs(revisionId: string, environments: number, since: number, now: number): number {
    const pace = this.#paces.get(revisionId);
    if (pace?.returnedAt === undefined) return 0;
    const beyond = Math.max(0, environments + 1 - this.#processors);
    const worthMs = Math.min((1 + beyond) * pace.worthMs, MAX_MS);
    const from = Math.min(pace.returnedAt, Math.max(since, pace.startedAt ?? since));
    return Math.max(0, from + worthMs - now);
  }
}
