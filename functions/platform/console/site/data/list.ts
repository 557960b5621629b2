import { InfiniteQueryObserver, type InfiniteQueryObserverOptions } from '@tanstack/query-core';
import { useEffect, useMemo, useReducer } from 'preact/hooks';
import { queries } from './query.ts';

/** A page of a list of the API, by offset or by cursor. */
interface ListPage<T> {
  items: T[];
  total?: number;
  nextCursor?: string | null;
}

/** Where a page begins, as the query of the request. */
export type Place = { cursor: string } | { offset: number } | Record<string, never>;

export interface List<T> {
  /** Of all pages that were read. */
  items: readonly T[] | undefined;
  total: number | undefined;
  error: unknown;
  isLoading: boolean;
  isRefreshing: boolean;
  /** Reads the next page; absent at the end. */
  more: (() => void) | undefined;
  refresh(): void;
}

interface Choices {
  /** Reads again while the page is visible and only the first page of the list was read: later ones may be many. */
  everyMs?: number | false;
  /** Shows what was read for the last key until that for this one arrives, as while a filter changes. */
  keepsLast?: boolean;
}

/**
 * Reads a list page by page: `useList(['runs', filter], (place) => api.runs.listAll({ ...filter, ...place }))`. For
 * `Table`, which asks for `more` at its end.
 */
export function useList<T>(
  key: readonly unknown[],
  read: (place: Place) => PromiseLike<ListPage<T>>,
  { everyMs = false, keepsLast = false }: Choices = {},
): List<T> {
  const options: InfiniteQueryObserverOptions<ListPage<T>, Error, Pages<T>, readonly unknown[], Place> = {
    queryKey: key,
    queryFn: async ({ pageParam }) => read(pageParam),
    initialPageParam: {},
    getNextPageParam: nextPlace,
    refetchInterval: ({ state }) => ((state.data?.pages.length ?? 0) > 1 ? false : everyMs),
    ...(keepsLast && { placeholderData: (last: Pages<T> | undefined) => last }),
  };
  const [, show] = useReducer((count: number) => count + 1, 0);
  const observer = useMemo(() => new InfiniteQueryObserver(queries, options), []);
  useEffect(() => observer.subscribe(() => show(undefined)), [observer]);
  useEffect(() => observer.setOptions(options), [JSON.stringify(key), everyMs, observer]);
  const result = observer.getOptimisticResult(queries.defaultQueryOptions(options) as never);
  const { data, error, isPending, isFetching, isFetchingNextPage, hasNextPage } = result;
  return {
    items: data?.pages.flatMap(({ items }) => items),
    total: data?.pages.at(-1)?.total,
    error,
    isLoading: isPending,
    isRefreshing: isFetching && !isPending && !isFetchingNextPage,
    more: hasNextPage && !isFetching ? () => void observer.fetchNextPage() : undefined,
    refresh: () => void observer.refetch(),
  };
}

interface Pages<T> {
  pages: ListPage<T>[];
  pageParams: Place[];
}

function nextPlace<T>(last: ListPage<T>, pages: readonly ListPage<T>[]): Place | undefined {
  if (last.nextCursor) return { cursor: last.nextCursor };
  const read = pages.reduce((sum, { items }) => sum + items.length, 0);
  return last.total !== undefined && last.items.length > 0 && read < last.total ? { offset: read } : undefined;
}
