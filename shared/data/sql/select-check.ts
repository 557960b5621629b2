import { DataError, type DataIssue, positionAt, positionAtByte } from '../../platform/errors/data-error.ts';
import type { Engine } from '../duckdb/engine.ts';
import { type ParseTree, type TreeNode, visitNodes } from './parse-tree.ts';
import { walkSelect } from './select-walk.ts';
import { firstWord, withoutTerminator } from './statement.ts';
import { textIssues } from './text-limits.ts';

export interface CheckedSelect {
  /** The statement without trailing semicolons and comments, ready for use in brackets. */
  sql: string;
  /** The tables that it reads, as spelled in the list of allowed tables. */
  tables: string[];
  /** Names of its bound parameters: `1` for `$1`, `name` for `$name`. */
  parameters: string[];
  /** The root of the engine's parse tree. */
  root: TreeNode;
}

/**
 * Checks a single SELECT (or WITH … SELECT) that reads only the given tables and calls only functions of the frozen
 * list, by DuckDB's own parse tree. Unknown kinds of nodes are rejected. Throws a DataError with all issues: SQL_PARSE,
 * SQL_NOT_READ_ONLY, NOT_FOUND (a table) or SQL_ERROR (an unknown function). `mayFail` allows `error()` in statements
 * that are compiled around separately checked texts.
 */
export async function checkSelect(
  engine: Engine,
  sql: string,
  allowed: { tables: readonly string[]; mayFail?: true | undefined },
): Promise<CheckedSelect> {
  throwIssues(textIssues(sql));
  const statement = withoutTerminator(sql);
  const tree = read(await engine.parseTree(statement));
  throwIssues(statementIssues(tree, statement));
  const [root] = tree.statements!;
  const { issues, tables } = walkSelect(root!.node, { sql: statement, ...allowed });
  throwIssues(issues);
  const parameters = parameterNames(root!);
  return { sql: statement, tables, parameters, root: root!.node };
}

/** The engine writes a number too large for a double as `Infinity`, which is not valid JSON. */
function read(tree: string): ParseTree {
  try {
    return JSON.parse(tree) as ParseTree;
  } catch (cause) {
    throw new DataError('SQL_PARSE', 'A number in the SQL text is too large.', { cause });
  }
}

function throwIssues(issues: readonly DataIssue[]): void {
  if (issues.length > 0) throw DataError.ofIssues(issues);
}

function statementIssues(tree: ParseTree, sql: string): DataIssue[] {
  if (tree.error) {
    const message = tree.error_message ?? 'The SQL text cannot be parsed.';
    if (tree.error_type === 'not implemented') return [notReadOnly(sql, 0)];
    const place = tree.position === undefined ? {} : { position: positionAtByte(sql, Number(tree.position)) };
    return [{ code: 'SQL_PARSE', message, ...place }];
  }
  if (tree.statements?.length === 0) return [{ code: 'SQL_PARSE', message: 'The SQL text is empty.' }];
  if (tree.statements?.length !== 1) return [{ code: 'SQL_NOT_READ_ONLY', message: 'Only one statement is allowed.' }];
  const { offset, reads } = firstWord(sql);
  return reads ? [] : [notReadOnly(sql, offset)];
}

const notReadOnly = (sql: string, offset: number): DataIssue => ({
  code: 'SQL_NOT_READ_ONLY',
  message: 'Only a SELECT or WITH statement is allowed.',
  position: positionAt(sql, offset),
});

function parameterNames(root: unknown): string[] {
  const names = new Set<string>();
  visitNodes(root, (node) => {
    if (node.class === 'PARAMETER') names.add(String(node.identifier));
  });
  return [...names];
}
