import type { Column } from './column-types.ts';

/** DuckDB folds ASCII letters only. Folding more would treat different names as equal. */
export const folded = (name: string) => name.replace(/[A-Z]/g, (letter) => letter.toLowerCase());

/** A name for an internal column that no other column has. */
export function freeName(wanted: string, columns: readonly Column[]): string {
  const taken = new Set(columns.map(({ name }) => folded(name)));
  let name = wanted;
  while (taken.has(name)) name += '_';
  return name;
}
