/** Later, the same call is meant anew. */
const SAME_WISH_MS = 15 * 60_000;

interface Kept {
  key: string;
  /** When the first try was sent. */
  at: number;
  /** The own key of the call that succeeded. */
  endedBy?: string;
}

/**
 * The idempotency keys of calls that failed. A call may have been carried out although its reply was lost: a person who
 * repeats it sends the same key, so that nothing is made twice.
 */
export class RepeatKeys {
  readonly #kept = new Map<string, Kept>();

  /** The key to send for a call with a key of its own, which the client keeps while it repeats the call by itself. */
  keyFor(call: string, own: string, now = Date.now()): string {
    const kept = this.#kept.get(call);
    if (!kept) return own;
    const isOver = now - kept.at > SAME_WISH_MS || (kept.endedBy !== undefined && kept.endedBy !== own);
    if (!isOver) return kept.key;
    this.#kept.delete(call);
    return own;
  }

  /** When a person first tried a call that failed until now; undefined if there was no such try. */
  triedAt(call: string, own: string): number | undefined {
    const kept = this.#kept.get(call);
    return kept && kept.key !== own ? kept.at : undefined;
  }

  failed(call: string, key: string, sentAt = Date.now()): void {
    this.#kept.set(call, { key, at: this.#kept.get(call)?.at ?? sentAt });
  }

  succeeded(call: string, own: string): void {
    const kept = this.#kept.get(call);
    if (kept) kept.endedBy = own;
  }

  /** The person has seen what tries that were sent by then have done: from now on, the calls are meant anew. */
  seen(isSuch: (call: string) => boolean, doneAt: number): void {
    for (const [call, { at }] of this.#kept) if (isSuch(call) && at <= doneAt) this.#kept.delete(call);
  }
}
