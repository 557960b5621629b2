export interface CursorPageOf<T> {
  items: T[];
  total: number;
  nextCursor: string | null;
}

/**
 * The next page starts at `offset + limit`; `limit` is lower than asked for when further items would make the page too
 * large.
 */
export interface PageOf<T> {
  items: T[];
  total: number;
  limit: number;
  offset: number;
}

/** A reply of a function holds at most 6 MB. */
export const MAX_PAGE_BYTES = 4 * 1024 * 1024;

const MAX_VIEWS_AT_A_TIME = 20;

export const jsonBytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

/** The number of leading items that fit into a page; at least one. */
export function fittingItems(items: readonly unknown[], alreadyBytes = 0): number {
  let bytes = alreadyBytes;
  const end = items.findIndex((item, index) => {
    bytes += jsonBytes(item);
    return bytes > MAX_PAGE_BYTES && (index > 0 || alreadyBytes > 0);
  });
  return end < 0 ? items.length : end;
}

/** The requested part of a list; it ends earlier if the items would be too large for one reply. */
export function pageOf<T, V>(
  all: readonly T[],
  { limit, offset }: { limit: number; offset: number },
  view: (item: T) => V,
): PageOf<V> {
  const items = all.slice(offset, offset + limit).map(view);
  const fitting = fittingItems(items);
  return {
    items: items.slice(0, fitting),
    total: all.length,
    limit: fitting < items.length ? fitting : limit,
    offset,
  };
}

/**
 * Converts the items by `view`, and shortens the page if the views are too large for one: they may exceed the records.
 */
export async function viewPage<T, V>(page: PageOf<T>, view: (items: readonly T[]) => Promise<V[]>): Promise<PageOf<V>> {
  const views: V[] = [];
  let bytes = 0;
  for (let start = 0; start < page.items.length; start += MAX_VIEWS_AT_A_TIME) {
    const made = await view(page.items.slice(start, start + MAX_VIEWS_AT_A_TIME));
    const fitting = made.slice(0, fittingItems(made, bytes));
    views.push(...fitting);
    if (fitting.length < made.length) return { ...page, items: views, limit: views.length };
    bytes += fitting.reduce((sum: number, each) => sum + jsonBytes(each), 0);
  }
  return { ...page, items: views };
}
