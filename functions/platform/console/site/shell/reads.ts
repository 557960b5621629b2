import { bestMatch } from '../ui/path.ts';

/** What a screen asks the API first, by its path below the console: addresses as the client writes them. */
export type Reads = Readonly<Record<string, (place: ReadPlace) => readonly string[]>>;

export interface ReadPlace {
  params: Readonly<Record<string, string>>;
  query: Readonly<Record<string, string>>;
}

/** An address below `/api` with its query, as the client writes it. */
export const asked = (path: string, query: Readonly<Record<string, string | number | boolean>> = {}): string => {
  const pairs = Object.entries(query).map(([name, value]) => [name, String(value)]);
  return pairs.length === 0 ? path : `${path}?${new URLSearchParams(pairs)}`;
};

const BASE = /^\/api\/console/;

export function readsAt(all: readonly Reads[], { pathname, search }: { pathname: string; search: string }): string[] {
  const known = all.flatMap((reads) => Object.entries(reads).map(([path, of]) => ({ path, of })));
  const found = bestMatch(known, pathname.replace(BASE, ''));
  if (!found) return [];
  return [...found.screen.of({ params: found.params, query: Object.fromEntries(new URLSearchParams(search)) })];
}
