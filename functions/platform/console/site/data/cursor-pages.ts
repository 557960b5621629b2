import type { Signal } from '@preact/signals';
import { signal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';

interface Page<T> {
  items: T[];
  nextCursor: string | null;
}

interface Known<T> {
  items: readonly T[];
  nextCursor: string | null;
  error: unknown;
  isReading: boolean;
}

export interface CursorPages<T> {
  /** Undefined until the first page is read. */
  items: readonly T[] | undefined;
  error: unknown;
  /** Reads the next page; undefined after the last one. */
  more: (() => void) | undefined;
  /** Reads from the start again. What is shown stays until then. */
  refresh(): void;
}

interface Choices {
  /** Reads the first page again while the page is visible, and puts what is new before the rest. */
  everyMs?: number;
}

/**
 * A list that is read page by page: `useCursorPages(['runs'], (cursor) => api.runs.listAll({ cursor }))`. Whatever
 * `read` depends on belongs into the key.
 */
export function useCursorPages<T extends { id: string }>(
  key: readonly unknown[],
  read: (cursor: string | undefined) => PromiseLike<Page<T>>,
  { everyMs }: Choices = {},
): CursorPages<T> {
  const pages = useMemo(() => new Reader(read), [JSON.stringify(key)]);
  useEffect(() => {
    void pages.readFirst();
    const timer = everyMs && setInterval(() => document.visibilityState === 'visible' && pages.readFirst(), everyMs);
    return () => {
      clearInterval(timer);
      pages.close();
    };
  }, [pages, everyMs]);
  const { items, nextCursor, error } = pages.known.value;
  return {
    items: items.length === 0 && pages.known.value.isReading ? undefined : items,
    error,
    more: nextCursor === null ? undefined : () => void pages.readNext(),
    refresh: () => void pages.readFirst(),
  };
}

class Reader<T extends { id: string }> {
  readonly known: Signal<Known<T>> = signal<Known<T>>({
    items: [],
    nextCursor: null,
    error: undefined,
    isReading: true,
  });
  #isClosed = false;
  #isReading = false;
  readonly #read: (cursor: string | undefined) => PromiseLike<Page<T>>;

  constructor(read: (cursor: string | undefined) => PromiseLike<Page<T>>) {
    this.#read = read;
  }

  close(): void {
    this.#isClosed = true;
  }

  readFirst(): Promise<void> {
    return this.#load(undefined, (page, { items, nextCursor }) => {
      const fresh = new Set(page.items.map(({ id }) => id));
      const rest = items.filter(({ id }) => !fresh.has(id));
      // Where the first page reaches what was known, the pages after it stay.
      const isJoined = rest.length < items.length && rest.length > 0;
      return isJoined
        ? { items: [...page.items, ...rest], nextCursor }
        : { items: page.items, nextCursor: page.nextCursor };
    });
  }

  readNext(): Promise<void> {
    const { nextCursor } = this.known.peek();
    if (nextCursor === null) return Promise.resolve();
    return this.#load(nextCursor, (page, { items }) => {
      const known = new Set(items.map(({ id }) => id));
      return {
        items: [...items, ...page.items.filter(({ id }) => !known.has(id))],
        nextCursor: page.nextCursor,
      };
    });
  }

  async #load(
    cursor: string | undefined,
    join: (page: Page<T>, known: Known<T>) => Pick<Known<T>, 'items' | 'nextCursor'>,
  ): Promise<void> {
    if (this.#isReading) return;
    this.#isReading = true;
    try {
      const page = await this.#read(cursor);
      if (this.#isClosed) return;
      this.known.value = { ...join(page, this.known.peek()), error: undefined, isReading: false };
    } catch (error) {
      if (!this.#isClosed) this.known.value = { ...this.known.peek(), error, isReading: false };
    } finally {
      this.#isReading = false;
    }
  }
}
