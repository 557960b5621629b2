import { QueriesObserver, type QueryObserverOptions } from '@tanstack/query-core';
import { useEffect, useMemo, useReducer } from 'preact/hooks';
import { queries } from './query.ts';

const PAGE = 100;
/** Lists are read by offset up to here. */
export const MAX_LISTED = 10_000;

/** A page of a list of the API. Lists that reply with their `offset` are read by it, the others by cursor. */
interface ListPage<T> {
  items: T[];
  total?: number;
  offset?: number;
  nextCursor?: string | null;
}

/** Where a page begins and how long it may be, as the query of the request. */
export interface Place {
  limit: number;
  offset?: number;
  cursor?: string;
}

/** What `Table` takes as its `list`. */
export interface List<T> {
  /** Those read so far, in order and without gaps; undefined until there are some, or certainly none. */
  items: readonly T[] | undefined;
  /** How many there are, if the API says. */
  total: number | undefined;
  /** How many rows a table has; by cursor, those read so far and one that is still being read. */
  count: number;
  /** Undefined while it is being read. */
  at(index: number): T | undefined;
  /** Reads what is missing of a range that is in sight. */
  need(start: number, end: number): void;
  hasMore: boolean;
  /** Of any page; null if all could be read. */
  error: unknown;
  isLoading: boolean;
  isRefreshing: boolean;
  /** Reads again what is in sight. */
  refresh(): void;
}

interface Choices {
  /** Reads again while the page is visible and only the first page of the list was read: later ones may be many. */
  everyMs?: number | false;
  /** Shows what was read for the last key until that for this one arrives, as while a filter changes. */
  keepsLast?: boolean;
  /** Reads nothing while false. */
  enabled?: boolean;
  /** Items of a page. */
  limit?: number;
}

type Read<T> = (place: Place) => PromiseLike<ListPage<T>>;

/**
 * Reads the pages of a list that are in sight: `useList(['runs', filters], (place) => api.runs.listAll({ ...filters,
 * ...place }))`. Of a list by offset, any page may be the next; of one by cursor, each leads to the next.
 */
export function useList<T>(
  key: readonly unknown[],
  read: Read<T>,
  { everyMs = false, keepsLast = false, enabled = true, limit = PAGE }: Choices = {},
): List<T> {
  const [, show] = useReducer((count: number) => count + 1, 0);
  const memory = useMemo<{ list?: List<T> }>(() => ({}), []);
  const pages = useMemo(() => new Pages<T>(key, limit, () => show(undefined)), [JSON.stringify(key), limit]);
  pages.read = read;
  useEffect(() => {
    pages.everyMs = everyMs;
    if (enabled) return pages.open();
    return undefined;
  }, [pages, everyMs, enabled]);
  const list = pages.list();
  if (keepsLast && list.isLoading && !list.error && memory.list) return { ...memory.list, isRefreshing: true };
  memory.list = list;
  return list;
}

/** A page as it is kept, with the cursor that led to it. */
interface Kept<T> extends ListPage<T> {
  from?: string | undefined;
}

class Pages<T> {
  read!: Read<T>;
  everyMs: number | false = false;
  #sight = { start: 0, end: 1 };
  #observer: QueriesObserver | undefined;
  /** The numbers of the pages that are shown or being read. */
  #numbers: readonly number[] = [0];
  readonly #key: readonly unknown[];
  readonly #limit: number;
  readonly #show: () => void;

  constructor(key: readonly unknown[], limit: number, show: () => void) {
    this.#key = key;
    this.#limit = limit;
    this.#show = show;
  }

  open(): () => void {
    this.#numbers = this.#wanted();
    const observer = new QueriesObserver(queries, this.#options());
    this.#observer = observer;
    const stop = observer.subscribe(() => {
      this.#continue();
      this.#show();
    });
    this.#continue();
    return () => {
      this.#observer = undefined;
      stop();
    };
  }

  list(): List<T> {
    const first = this.#page(0);
    const items = this.#itemsInOrder();
    const isByOffset = first?.offset !== undefined;
    const last = this.#page(this.#numbers.at(-1)!);
    const hasMore = isByOffset ? items.length < (first.total ?? 0) : Boolean(last?.nextCursor);
    const isLoading = !first || (!isByOffset && items.length === 0 && hasMore);
    const states = this.#numbers.map((number) => queries.getQueryState(this.#keyOf(number)));
    const total = this.#numbers.map((number) => this.#page(number)?.total).findLast((each) => each !== undefined);
    const error = states.find((state) => state?.error)?.error ?? null;
    return {
      items: isLoading ? undefined : items,
      total,
      count: isLoading ? 0 : isByOffset ? Math.min(total ?? 0, MAX_LISTED) : items.length + (hasMore ? 1 : 0),
      at: isByOffset
        ? (index) => this.#page(Math.floor(index / this.#limit))?.items[index % this.#limit]
        : (index) => items[index],
      need: this.need,
      hasMore,
      error,
      isLoading: isLoading && error === null,
      isRefreshing: first !== undefined && states[0]?.fetchStatus === 'fetching',
      refresh: this.refresh,
    };
  }

  need = (start: number, end: number): void => {
    if (this.#sight.start === start && this.#sight.end === end) return;
    this.#sight = { start, end };
    this.#continue();
  };

  refresh = (): void => {
    for (const number of this.#numbers) void queries.refetchQueries({ queryKey: this.#keyOf(number), exact: true });
  };

  #keyOf = (number: number) => [...this.#key, { page: number, limit: this.#limit }];
  #page = (number: number): Kept<T> | undefined => queries.getQueryData<Kept<T>>(this.#keyOf(number));

  #options = (): QueryObserverOptions[] =>
    this.#numbers.map((number) => ({
      queryKey: this.#keyOf(number),
      queryFn: () => this.#load(number),
      refetchInterval: this.#numbers.length > 1 ? false : this.everyMs,
    }));

  /** Observes the pages that are now in sight, and reads those again whose page before has become another. */
  #continue(): void {
    const wanted = this.#wanted();
    if (String(wanted) !== String(this.#numbers)) {
      this.#numbers = wanted;
      this.#observer?.setQueries(this.#options());
    }
    for (const number of this.#numbers.slice(1)) {
      const [before, page] = [this.#page(number - 1), this.#page(number)];
      const isSettled = [number - 1, number].every(
        (each) => queries.getQueryState(this.#keyOf(each))?.fetchStatus === 'idle',
      );
      if (isSettled && page?.from !== undefined && before?.nextCursor && page.from !== before.nextCursor) {
        void queries.refetchQueries({ queryKey: this.#keyOf(number), exact: true });
      }
    }
  }

  #wanted(): number[] {
    const { start, end } = this.#sight;
    const first = this.#page(0);
    if (!first) return [0];
    if (first.offset !== undefined) {
      const last = Math.min(end, first.total ?? 0, MAX_LISTED) - 1;
      const [from, to] = [start, last].map((index) => Math.max(0, Math.floor(index / this.#limit))) as [number, number];
      const numbers = Array.from({ length: Math.max(0, to - from + 1) }, (_, offset) => from + offset);
      return numbers[0] === 0 ? numbers : [0, ...numbers];
    }
    const numbers = [0];
    let read = first.items.length;
    for (let page: Kept<T> | undefined = first; page?.nextCursor && read < end; page = this.#page(numbers.length - 1)) {
      read += this.#page(numbers.length)?.items.length ?? 0;
      numbers.push(numbers.length);
    }
    return numbers;
  }

  #itemsInOrder(): T[] {
    const items: T[] = [];
    for (let number = 0; this.#numbers.includes(number); number += 1) {
      const page = this.#page(number);
      if (!page) break;
      items.push(...page.items);
    }
    return items;
  }

  async #load(number: number): Promise<Kept<T>> {
    const limit = this.#limit;
    if (number > 0) {
      // Where the page begins may be changing.
      const before = queries.getQueryCache().find({ queryKey: this.#keyOf(number - 1) });
      if (before?.state.fetchStatus === 'fetching') await before.fetch();
      const from = this.#page(0)?.offset === undefined ? this.#page(number - 1)?.nextCursor : undefined;
      if (from) return { ...(await this.read({ limit, cursor: from })), from };
      if (from === null) return { items: [] };
    }
    const offset = number * limit;
    const page = await this.read(offset === 0 ? { limit } : { limit, offset });
    if (page.offset === undefined) return page;
    // A page may hold fewer than asked for.
    const items = [...page.items];
    while (items.length > 0 && items.length < limit && offset + items.length < page.total!) {
      const rest = await this.read({ limit: limit - items.length, offset: offset + items.length });
      if (rest.items.length === 0) break;
      items.push(...rest.items);
    }
    return { ...page, items };
  }
}
