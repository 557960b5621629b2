/** Later, the same call is meant anew. */
const SAME_WISH_MS = 15 * 60_000;

interface Kept {
  key: string;
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

  failed(call: string, key: string, now = Date.now()): void {
    this.#kept.set(call, { key, at: this.#kept.get(call)?.at ?? now });
  }

  succeeded(call: string, own: string): void {
    const kept = this.#kept.get(call);
    if (kept) kept.endedBy = own;
  }
}
