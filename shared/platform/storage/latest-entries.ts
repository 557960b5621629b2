/** A cache of the entries that were set last, limited by total weight; the oldest entries are evicted first. */
export class LatestEntries<V> {
  readonly #entries = new Map<string, V>();
  readonly #maxWeight: number;
  readonly #weigh: (value: V) => number;
  #weight = 0;

  /** Every entry has weight 1 by default. */
  constructor(most: number, weigh: (value: V) => number = () => 1) {
    this.#maxWeight = most;
    this.#weigh = weigh;
  }

  get(key: string): V | undefined {
    return this.#entries.get(key);
  }

  set(key: string, value: V): void {
    this.delete(key);
    this.#entries.set(key, value);
    this.#weight += this.#weigh(value);
    for (const oldest of this.#entries.keys()) {
      if (this.#weight <= this.#maxWeight) return;
      this.delete(oldest);
    }
  }

  delete(key: string): void {
    const known = this.#entries.get(key);
    if (known !== undefined) this.#weight -= this.#weigh(known);
    this.#entries.delete(key);
  }
}
