import { useEffect, useMemo, useReducer } from 'preact/hooks';

const PAGE = 100;
/** Lists are read by offset up to here. */
export const MAX_LISTED = 10_000;

interface Page<T> {
  items: T[];
  total: number;
}

export interface Pages<T> {
  /** How many there are; undefined until the first page is read. */
  total: number | undefined;
  /** How many can be shown. */
  count: number;
  at(index: number): T | undefined;
  need(start: number, end: number): void;
  error: unknown;
  /** Reads what is in sight again. */
  refresh(): void;
}

type Read<T> = (page: { limit: number; offset: number }) => Promise<Page<T>>;

/** A long list of which only the pages in sight are read: `usePages([search], (page) => api.datasets.list(page))`. */
export function usePages<T>(key: readonly unknown[], read: Read<T>): Pages<T> {
  const [, show] = useReducer((count: number) => count + 1, 0);
  const pages = useMemo(() => new LazyPages(read, () => show(undefined)), [JSON.stringify(key)]);
  useEffect(() => {
    pages.need(0, 1);
    return () => pages.close();
  }, [pages]);
  return pages;
}

class LazyPages<T> implements Pages<T> {
  total: number | undefined;
  error: unknown;
  #items: (T | undefined)[] = [];
  #reading = new Set<number>();
  #sight = { start: 0, end: 1 };
  #isClosed = false;
  #generation = 0;
  readonly #read: Read<T>;
  readonly #show: () => void;

  constructor(read: Read<T>, show: () => void) {
    this.#read = read;
    this.#show = show;
  }

  get count(): number {
    return Math.min(this.total ?? 0, MAX_LISTED);
  }

  at = (index: number): T | undefined => this.#items[index];

  need = (start: number, end: number): void => {
    this.#sight = { start, end };
    this.#continue();
  };

  refresh = (): void => {
    this.#generation += 1;
    this.#reading.clear();
    this.error = undefined;
    this.#items = [];
    this.#continue();
  };

  close(): void {
    this.#isClosed = true;
  }

  /** A page may hold fewer than asked for, so the first one that is missing decides what is read next. */
  #continue(): void {
    const { start, end } = this.#sight;
    const last = this.total === undefined ? Math.max(1, end) : Math.min(end, this.count);
    for (let index = start; index < last; index += 1) {
      if (this.#items[index] !== undefined) continue;
      const offset = Math.floor(index / PAGE) * PAGE;
      const from = this.#items[offset] === undefined ? offset : index;
      if (!this.#reading.has(from)) void this.#load(from, offset + PAGE - from);
      index = offset + PAGE - 1;
    }
  }

  async #load(offset: number, limit: number): Promise<void> {
    const generation = this.#generation;
    this.#reading.add(offset);
    try {
      const { items, total } = await this.#read({ limit, offset });
      if (generation !== this.#generation) return;
      for (const [index, item] of items.entries()) this.#items[offset + index] = item;
      this.total = total;
      this.error = undefined;
      this.#reading.delete(offset);
      if (items.length > 0 && !this.#isClosed) this.#continue();
    } catch (error) {
      if (generation === this.#generation) this.error = error;
    } finally {
      if (!this.#isClosed && generation === this.#generation) this.#show();
    }
  }
}
