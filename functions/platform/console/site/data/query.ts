import { QueryClient, QueryObserver, type QueryObserverOptions } from '@tanstack/query-core';
import { useEffect, useMemo, useReducer } from 'preact/hooks';

const STALE_MS = 15_000;

/** What the page has read from the API. The client repeats requests itself. */
export const queries = new QueryClient({
  defaultOptions: { queries: { staleTime: STALE_MS, retry: false, networkMode: 'always' } },
});
queries.mount();

export interface Query<T> {
  data: T | undefined;
  error: unknown;
  /** Nothing was read yet. */
  isLoading: boolean;
  /** Something newer is being read. */
  isRefreshing: boolean;
  refresh(): void;
}

interface Choices {
  /** Reads again while the page is visible. */
  everyMs?: number | false;
  /** Reads nothing while false. */
  enabled?: boolean;
  /** Shows what was read for the last key until that for this one arrives, as while a filter changes. */
  keepsLast?: boolean;
}

/**
 * Reads through the client and reads again when it is stale: `useQuery(['runs', id], () => api.runs.get(id))`. Whatever
 * `read` depends on belongs into the key.
 */
export function useQuery<T>(
  key: readonly unknown[],
  read: (signal: AbortSignal) => Promise<T>,
  { everyMs = false, enabled = true, keepsLast = false }: Choices = {},
): Query<T> {
  const options: QueryObserverOptions<T> = {
    queryKey: key,
    queryFn: ({ signal }) => read(signal),
    refetchInterval: everyMs,
    enabled,
    ...(keepsLast && { placeholderData: (last: unknown) => last as never }),
  };
  const [, show] = useReducer((count: number) => count + 1, 0);
  const observer = useMemo(() => new QueryObserver<T>(queries, options), []);
  const hash = JSON.stringify(key);
  useEffect(() => observer.subscribe(() => show(undefined)), [observer]);
  useEffect(() => observer.setOptions(options), [hash, everyMs, enabled, observer]);
  const { data, error, isPending, isFetching } = observer.getOptimisticResult(queries.defaultQueryOptions(options));
  return {
    data,
    error,
    isLoading: isPending && error === null,
    isRefreshing: isFetching && !isPending,
    refresh: () => void observer.refetch(),
  };
}

/** After a change: what begins with the key is read again where it is shown. */
export const refreshQueries = (key: readonly unknown[]): Promise<void> => queries.invalidateQueries({ queryKey: key });
