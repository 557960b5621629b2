/**
 * Cost of a start in multiples of its duration: the first calls of an environment take two to three times as long, in
 * code not yet compiled.
 */
const STARTS_WORTH = 3;
/** A call is expected to take at most this many times as long as the previous one. */
const CALLS_WORTH = 5;
/** The maximum wait, however long the handler takes to load. */
const MAX_MS = 5000;

interface Pace {
  /** How long the latest start took. */
  startMs: number;
  /** When it ended. */
  loadedAt: number;
  /** How long the latest call took. */
  callMs?: number;
  returnedAt?: number;
  /** When an environment was last started. */
  startedAt?: number;
}

/**
 * How long a call may wait for a busy environment before another one is started. A start costs the machine more than
 * dozens of short calls. So where environments are released often, a call waits for one until the wait is worth a
 * start. Environments beyond the number of processors mostly take turns, so each further one requires a longer wait,
 * and none is started while a busy one will probably be released sooner than a new one could start. All times are in
 * milliseconds on a monotonic clock.
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

  started(revisionId: string, startMs: number, now: number): void {
    this.#paces.set(revisionId, { ...this.#paces.get(revisionId), startMs, loadedAt: now });
  }

  returned(revisionId: string, callMs: number, now: number): void {
    const pace = this.#paces.get(revisionId);
    if (pace) Object.assign(pace, { callMs, returnedAt: now });
  }

  forget(revisionId: string): void {
    this.#paces.delete(revisionId);
  }

  /**
   * The remaining wait of a call that has waited since then, while the revision has so many environments; 0 means to
   * start another one. Calls that take a whole processor each gain nothing from environments beyond the processors:
   * they wait as long as environments are released.
   */
  leftMs(revisionId: string, environments: number, since: number, now: number, takesProcessor = false): number {
    const pace = this.#paces.get(revisionId);
    if (!pace) return 0;
    const { returnedAt, startedAt = since } = pace;
    const beyond = Math.max(0, environments + 1 - this.#processors);
    if (takesProcessor && beyond > 0) return Math.max(0, Math.max(since, startedAt, returnedAt ?? 0) + MAX_MS - now);
    const worthMs = Math.min((1 + beyond) * STARTS_WORTH * pace.startMs, MAX_MS);
    const worth = returnedAt === undefined ? now : Math.min(returnedAt, Math.max(since, startedAt)) + worthMs;
    const expected = beyond > 0 ? Math.max(since, pace.loadedAt) + expectedMs(pace) : now;
    return Math.max(0, worth - now, expected - now);
  }
}

/** How long to wait for a busy environment; 0 if a new one would start sooner. */
function expectedMs({ startMs, callMs = startMs / CALLS_WORTH }: Pace): number {
  return callMs < startMs ? Math.min(CALLS_WORTH * callMs, startMs, MAX_MS) : 0;
}
