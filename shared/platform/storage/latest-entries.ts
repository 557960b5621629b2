/** Remembers what was set last, up to a weight; what was set longest ago is forgotten first. */
export class LatestEntries<V> {
  readonly #entries = new Map<string, V>();
  readonly #most: number;
  readonly #weigh: (value: V) => number;
  #weight = 0;

  /** Every entry weighs 1 unless `weigh` says otherwise. */
  constructor(most: number, weigh: (value: V) => number = () => 1) {
    this.#most = most;
    this.#weigh = weigh;
  }

  get(key: string): V | undefined {
    return this.#entries.get(key);
  }

  set(key: string, value: V): void {
    this.forget(key);
    this.#entries.set(key, value);
    this.#weight += this.#weigh(value);
    for (const oldest of this.#entries.keys()) {
      if (this.#weight <= this.#most) return;
      this.forget(oldest);
    }
  }

  forget(key: string): void {
    const known = this.#entries.get(key);
    if (known !== undefined) this.#weight -= this.#weigh(known);
    this.#entries.delete(key);
  }
}
