import { fittingItems, type PageOf } from './page.ts';

export const SORTS = ['-createdAt', 'createdAt', 'name', '-name', 'updatedAt', '-updatedAt'] as const;
export type Sort = (typeof SORTS)[number] | 'recent';

type SortBy<T> = `${'' | '-'}${keyof T & string}`;

/** The maximum number of records for a filter or an order other than by creation; all of them are read. */
export const MAX_SELECTED = 5_000;
export const MAX_SELECTED_BYTES = 64 * 1024 * 1024;

/** Lists are read from their start up to the requested page. */
export const MAX_OFFSET = 10_000;

/** The request of a client for a list; newest first by default. */
export interface ListRequest<T = unknown> {
  limit: number;
  offset: number;
  name?: string;
  status?: string;
  /** A member of the records, descending with a minus. `recent` is a short word for `-updatedAt`. */
  sort?: Sort | SortBy<T>;
  /** Only records whose members have these values; those that are undefined do not count. */
  having?: { [M in keyof T]?: T[M] | undefined };
  /** A further condition, set by the caller. */
  matches?: ((record: T) => boolean) | undefined;
  /** Another order than those of `sort`, set by the caller. Ids break ties. */
  compare?: (a: T, b: T) => number;
}

/** Whether the index is insufficient, so that the records themselves must be read. */
export function isSelective<T>(request: ListRequest<T>): boolean {
  const { name, status, having = {}, sort = '-createdAt', matches, compare } = request;
  const filters = [name, status, ...Object.values(having), matches, compare];
  return filters.some((filter) => filter !== undefined) || !sort.endsWith('createdAt');
}

/** Selects the requested page from the records, which are sorted newest first. */
export function selectPage<T extends { id: string }>(records: readonly T[], request: ListRequest<T>): PageOf<T> {
  const { limit, offset, sort = '-createdAt', compare } = request;
  const wanted = records.filter((record) => isSelected(record, request));
  const by = compare ? (a: T, b: T) => compare(a, b) || (a.id < b.id ? -1 : 1) : bySort<T>(sort, ({ id }) => id);
  const sorted = sort === '-createdAt' && !compare ? wanted : wanted.sort(by);
  const items = sorted.slice(offset, offset + limit);
  const fitting = fittingItems(items);
  return {
    items: items.slice(0, fitting),
    total: sorted.length,
    limit: fitting < items.length ? fitting : limit,
    offset,
  };
}

function isSelected<T extends { id: string }>(record: T, { name, status, having, matches }: ListRequest<T>): boolean {
  const wanted = Object.entries({ name, status, ...having }).filter(([, value]) => value !== undefined);
  return wanted.every(([member, value]) => memberOf(record, member) === value) && (matches?.(record) ?? true);
}

/** Ids break ties, so that no page repeats or misses a record. */
export function bySort<T extends object>(sort: string, idOf: (record: T) => string): (a: T, b: T) => number {
  const [sign, member] = sort === 'recent' ? [-1, 'updatedAt'] : [sort.startsWith('-') ? -1 : 1, sort.replace('-', '')];
  const value = (record: T) => String(memberOf(record, member) ?? '');
  return (a, b) => sign * (value(a).localeCompare(value(b), 'en') || (idOf(a) < idOf(b) ? -1 : 1));
}

/** Whether a search finds its text in one of the texts of a record; case does not matter. */
export function isFound(search: string | undefined, texts: readonly string[]): boolean {
  if (search === undefined) return true;
  const wanted = search.toLowerCase();
  return texts.some((text) => text.toLowerCase().includes(wanted));
}

/** The condition of a search; undefined without one, so that the list can be read in order of creation. */
export const searching = <T>(search: string | undefined, textsOf: (record: T) => readonly string[]) =>
  search === undefined ? undefined : (record: T) => isFound(search, textsOf(record));

/** Records without a name, such as secrets, use their id. */
function memberOf(record: object, member: string): unknown {
  const { [member]: value, id } = record as Record<string, unknown>;
  return value ?? (member === 'name' ? id : undefined);
}
