import { folded } from '../duckdb/column-names.ts';
import { quoteIdentifier } from '../duckdb/quoting.ts';
import type { Typed } from './typed.ts';

export interface TypedColumn {
  name: string;
  type: string;
  /** Why a statement that reads it cannot move. */
  barred?: string;
}

/** A table of a FROM clause, under the name by which columns are called on it. */
export interface NamedTable {
  alias: string;
  columns: readonly TypedColumn[];
  /** Columns of a USING that another table shows. */
  hidden?: ReadonlySet<string>;
}

/** The columns that an expression can name. */
export interface Scope {
  tables: NamedTable[];
  /** What stands for a column of a USING, by its folded name. */
  shared?: ReadonlyMap<string, Typed>;
  outer?: Scope | undefined;
}

export const columnOf = (table: NamedTable, name: string): TypedColumn | undefined =>
  table.columns.find((column) => folded(column.name) === folded(name));

/** The column of that name, in this query or in one around it. */
export function resolve(scope: Scope | undefined, names: readonly string[]): Typed | undefined {
  if (!scope) return undefined;
  const [name, qualifier] = [names.at(-1)!, names.length > 1 ? names[0]! : undefined];
  if (names.length > 2) return undefined;
  const shared = qualifier === undefined ? scope.shared?.get(folded(name)) : undefined;
  if (shared) return shared;
  const tables = scope.tables.filter(({ alias }) => qualifier === undefined || folded(alias) === folded(qualifier));
  const found = tables.flatMap((table) => {
    const column = columnOf(table, name);
    return column ? [inTable(table, column)] : [];
  });
  return found[0] ?? resolve(scope.outer, names);
}

export const inTable = ({ alias }: NamedTable, { name, type, barred }: TypedColumn): Typed => ({
  sql: `${quoteIdentifier(alias)}.${quoteIdentifier(name)}`,
  type,
  ...(barred ? { barred } : {}),
});
