import { folded } from '../duckdb/column-names.ts';
import { quoteIdentifier } from '../duckdb/quoting.ts';
import type { Typed } from './typed.ts';

export interface TypedColumn {
  name: string;
  type: string;
  /** Why a statement that reads it cannot run in Athena. */
  barred?: string;
}

/** A table of a FROM clause, under the name that qualifies its columns. */
export interface NamedTable {
  alias: string;
  columns: readonly TypedColumn[];
  /** Columns of USING that another table provides. */
  hidden?: ReadonlySet<string>;
}

/** The columns that an expression can name. */
export interface Scope {
  tables: NamedTable[];
  /** Expressions for columns of USING, by folded name. */
  shared?: ReadonlyMap<string, Typed>;
  outer?: Scope | undefined;
}

export const columnOf = (table: NamedTable, name: string): TypedColumn | undefined =>
  table.columns.find((column) => folded(column.name) === folded(name));

/** Finds the column of that name in this query or an enclosing one. */
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
