import type { Column } from '../duckdb/column-types.ts';
import type { EngineParameter } from '../duckdb/parameters.ts';
import { quoteIdentifier } from '../duckdb/quoting.ts';
import type { TreeNode } from '../sql/parse-tree.ts';
import { type PortabilityIssue, PortabilityIssues } from './portability-issues.ts';
import { queryOf } from './queries.ts';
import type { TypedColumn } from './scope.ts';
import { trinoTypeOf, widens } from './typed.ts';

/** A statement that can run in Athena, or all reasons why it cannot. */
export type Portable = { moves: true; sql: string } | { moves: false; reasons: PortabilityIssue[] };

/**
 * Translates a checked SELECT of DuckDB to a statement of Trino with the same result. `columns` are the columns that
 * DuckDB returns; the result has the same names and types. `root` is the checked parse tree of `sql`.
 */
export function portableSelect(
  { sql, root, params }: { sql: string; root: TreeNode; params: readonly EngineParameter[] },
  inputs: Readonly<Record<string, readonly TypedColumn[]>>,
  columns: readonly Column[],
): Portable {
  const issues = new PortabilityIssues(sql);
  const query = queryOf(root, inputs, { issues, params });
  return withColumns(query, columns, issues);
}

/** Gives the query columns of the given names and types. */
export function withColumns(
  query: { sql: string; columns: readonly TypedColumn[] },
  columns: readonly Column[],
  issues: PortabilityIssues,
): Portable {
  if (issues.found.length === 0 && query.columns.length !== columns.length) {
    issues.add(`The result has ${query.columns.length} columns in Athena instead of ${columns.length}.`);
  }
  const list = columns.map(({ name, type }, index) => {
    const made = query.columns[index]?.type ?? 'unknown';
    const word = trinoTypeOf(type);
    if (made !== 'unknown' && (!word || !widens(made, type))) {
      issues.add(`The column ${name} is ${type} and would be ${made} in Athena; add a CAST.`);
    }
    return `CAST(c${index} AS ${word}) AS ${quoteIdentifier(name)}`;
  });
  if (issues.found.length > 0) return { moves: false, reasons: issues.found };
  const names = columns.map((_, index) => `c${index}`).join(', ');
  return { moves: true, sql: `SELECT ${list.join(', ')} FROM (${query.sql}) AS result (${names})` };
}
