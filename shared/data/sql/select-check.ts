import { DataError, type DataIssue, positionAt, positionAtByte } from '../../platform/errors/data-error.ts';
import type { Engine } from '../duckdb/engine.ts';
import { type ParseTree, type TreeNode, visitNodes } from './parse-tree.ts';
import { walkSelect } from './select-walk.ts';
import { firstWord, withoutTerminator } from './statement.ts';
import { textIssues } from './text-limits.ts';

export interface CheckedSelect {
  /** The statement without what follows it (semicolons, comments): fit to stand in brackets. */
  sql: string;
  /** The allowed tables that it reads, as spelled in the allow list. */
  tables: string[];
  /** Names of its bound parameters: `1` for `$1`, `name` for `$name`. */
  parameters: string[];
  /** What the engine reads in it. */
  root: TreeNode;
}

/**
 * Accepts one SELECT (or WITH … SELECT) that reads nothing but the given tables and calls nothing but functions of the frozen list.
 * Decided on DuckDB's own parse tree; unknown kinds of nodes are refused. Throws an DataError with every issue found:
 * SQL_PARSE, SQL_NOT_READ_ONLY, NOT_FOUND (a table) or SQL_ERROR (a function that does not exist). A statement of our own that is
 * compiled around texts which were checked each by itself may fail on purpose.
 */
export async function checkSelect(
  engine: Engine,
  sql: string,
  allowed: { tables: readonly string[]; mayFail?: true | undefined },
): Promise<CheckedSelect> {
  refuse(textIssues(sql));
  const statement = withoutTerminator(sql);
  const tree = read(await engine.parseTree(statement));
  refuse(statementIssues(tree, statement));
  const [root] = tree.statements!;
  const { issues, tables } = walkSelect(root!.node, { sql: statement, ...allowed });
  refuse(issues);
  const parameters = parameterNames(root!);
  return { sql: statement, tables, parameters, root: root!.node };
}

/** The engine writes a number that is too large for a double as `Infinity`, which is no JSON. */
function read(tree: string): ParseTree {
  try {
    return JSON.parse(tree) as ParseTree;
  } catch (cause) {
    throw new DataError('SQL_PARSE', 'A number in the SQL text is too large.', { cause });
  }
}

function refuse(issues: readonly DataIssue[]): void {
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
