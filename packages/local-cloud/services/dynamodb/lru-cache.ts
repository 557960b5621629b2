/** A map that drops the least recently used entry beyond `capacity`. */
export class LruCache<K, V> {
  readonly #entries = new Map<K, V>();
  readonly #capacity: number;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  /** The value of `key`, created by `make` if missing. If `make` throws, nothing is cached. */
  get(key: K, make: (key: K) => V): V {
    const held = this.#entries.get(key);
    if (held !== undefined) {
      this.#entries.delete(key);
      this.#entries.set(key, held);
      return held;
    }
    const made = make(key);
    this.#entries.set(key, made);
    if (this.#entries.size > this.#capacity) this.#entries.delete(this.#entries.keys().next().value as K);
    return made;
  }
}
