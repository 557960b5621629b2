/**
 * Caches values for a short time within one function instance. Used for records that every request reads and that may
 * be some seconds old: sessions, keys, entitlements. A revocation therefore takes effect everywhere within `ttlMs`.
 */
export class BriefCache<V> {
  readonly #entries = new Map<string, { until: number; value: Promise<V> }>();
  readonly #ttlMs: number;
  readonly #capacity: number;

  constructor(options: { ttlMs: number; capacity?: number }) {
    this.#ttlMs = options.ttlMs;
    this.#capacity = options.capacity ?? 1000;
  }

  /** Concurrent callers share one load; a failed load is not cached. */
  get(key: string, now: number, load: () => Promise<V>): Promise<V> {
    const known = this.#entries.get(key);
    if (known && known.until > now) return known.value;
    const value = load();
    this.#entries.delete(key);
    this.#entries.set(key, { until: now + this.#ttlMs, value });
    value.catch(() => this.#entries.delete(key));
    if (this.#entries.size > this.#capacity) this.#entries.delete(this.#entries.keys().next().value as string);
    return value;
  }

  delete(key: string): void {
    this.#entries.delete(key);
  }
}
