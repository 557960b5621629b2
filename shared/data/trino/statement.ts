import type { Column } from '../duckdb/column-types.ts';
import type { EngineParameter } from '../duckdb/parameters.ts';
import { quoteIdentifier } from '../duckdb/quoting.ts';
import type { TreeNode } from '../sql/parse-tree.ts';
import { queryOf } from './queries.ts';
import { type Refusal, Refusals } from './refusals.ts';
import type { TypedColumn } from './scope.ts';
import { trinoTypeOf, widens } from './typed.ts';

/** A statement that can move to Athena, or every reason why it cannot. */
export type Portable = { moves: true; sql: string } | { moves: false; reasons: Refusal[] };

/**
 * A checked SELECT of DuckDB as a statement of Trino with the same result: `columns` are those that DuckDB gives it, and become
 * its columns by name and type. `root` is the gate's tree of `sql`.
 */
export function portableSelect(
  { sql, root, params }: { sql: string; root: TreeNode; params: readonly EngineParameter[] },
  inputs: Readonly<Record<string, readonly TypedColumn[]>>,
  columns: readonly Column[],
): Portable {
  const refusals = new Refusals(sql);
  const query = queryOf(root, inputs, { refusals, params });
  return withColumns(query, columns, refusals);
}

/** The query with columns of the given names and types. */
export function withColumns(
  query: { sql: string; columns: readonly TypedColumn[] },
  columns: readonly Column[],
  refusals: Refusals,
): Portable {
  if (refusals.found.length === 0 && query.columns.length !== columns.length) {
    refusals.add(`The result has ${query.columns.length} columns in Athena instead of ${columns.length}.`);
  }
  const list = columns.map(({ name, type }, index) => {
    const made = query.columns[index]?.type ?? 'unknown';
    const word = trinoTypeOf(type);
    if (made !== 'unknown' && (!word || !widens(made, type))) {
      refusals.add(`The column ${name} is ${type} and would be ${made} in Athena: write a CAST.`);
    }
    return `CAST(c${index} AS ${word}) AS ${quoteIdentifier(name)}`;
  });
  if (refusals.found.length > 0) return { moves: false, reasons: refusals.found };
  const names = columns.map((_, index) => `c${index}`).join(', ');
  return { moves: true, sql: `SELECT ${list.join(', ')} FROM (${query.sql}) AS result (${names})` };
}
