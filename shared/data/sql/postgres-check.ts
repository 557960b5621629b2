import { parse } from 'libpg-query';
import { DataError, type DataIssue, positionAt, positionAtByte } from '../../platform/errors/data-error.ts';
import { POSTGRES_FUNCTIONS } from './postgres-functions.ts';
import { firstWord, withoutTerminator } from './statement.ts';
import { textIssues } from './text-limits.ts';

export interface CheckedPostgresSelect {
  /** The statement without trailing semicolons and comments, ready for use in brackets. */
  sql: string;
  /** The tables that it names, with their schema if given. */
  tables: string[];
  /** The highest `$n`; 0 without parameters. */
  parameterCount: number;
}

interface Walk {
  sql: string;
  issues: DataIssue[];
  tables: Set<string>;
  /** Names of all WITH clauses. Such a name is not a table of the source. */
  withNames: Set<string>;
  parameterCount: number;
}

type Members = Record<string, unknown>;

/**
 * Checks a single SELECT (or WITH … SELECT) for a Postgres source by Postgres' own parse tree: no statement that writes
 * at any depth, no INTO, no locks, no system catalogs, and only listed built-in functions. This is one of four
 * protections: the query then runs by the extended protocol (a single command), in a READ ONLY transaction, as a role
 * with few privileges. Throws a DataError with all issues (SQL_PARSE, SQL_NOT_READ_ONLY).
 */
export async function checkPostgresSelect(sql: string): Promise<CheckedPostgresSelect> {
  throwIssues(textIssues(sql));
  const statement = withoutTerminator(sql);
  const { stmts = [] } = await parseTree(statement);
  if (stmts.length === 0) throwIssues([{ code: 'SQL_PARSE', message: 'The SQL text is empty.' }]);
  if (stmts.length > 1) throwIssues([{ code: 'SQL_NOT_READ_ONLY', message: 'Only one statement is allowed.' }]);
  const walk: Walk = { sql: statement, issues: [], tables: new Set(), withNames: new Set(), parameterCount: 0 };
  collectWithNames(walk, stmts);
  if (!firstWord(statement).reads) reportNode(walk, undefined, 'Only a SELECT or WITH statement is allowed.');
  visit(walk, stmts[0]!.stmt, 0);
  throwIssues(walk.issues);
  return { sql: statement, tables: [...walk.tables], parameterCount: walk.parameterCount };
}

function throwIssues(issues: readonly DataIssue[]): void {
  if (issues.length > 0) throw DataError.ofIssues(issues);
}

/** The parse tree of Postgres. Throws `SQL_PARSE`. */
export async function parseTree(sql: string): Promise<{ stmts?: { stmt?: unknown }[] }> {
  try {
    return await parse(sql);
  } catch (cause) {
    const details = (cause as { sqlDetails?: { message: string; cursorPosition: number } }).sqlDetails;
    const message = details?.message ?? 'The SQL text cannot be parsed.';
    // Postgres counts characters, JavaScript UTF-16 units.
    const offset = [...sql].slice(0, details?.cursorPosition ?? 0).join('').length;
    throw new DataError('SQL_PARSE', message, {
      cause,
      issues: [{ code: 'SQL_PARSE', message, position: positionAt(sql, offset) }],
    });
  }
}

export const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function collectWithNames(walk: Walk, value: unknown): void {
  if (Array.isArray(value)) for (const item of value) collectWithNames(walk, item);
  if (!isMembers(value)) return;
  if (isMembers(value.CommonTableExpr)) walk.withNames.add(String(value.CommonTableExpr.ctename));
  for (const member of Object.values(value)) collectWithNames(walk, member);
}

const MAX_TREE_DEPTH = 2000;
/** Finding the positions of all issues of a long text would take longer than running it. */
const MAX_ISSUES = 50;

function visit(walk: Walk, value: unknown, depth: number): void {
  if (depth > MAX_TREE_DEPTH) throw new DataError('SQL_PARSE', 'The statement is nested too deep.');
  if (Array.isArray(value)) for (const item of value) visit(walk, item, depth + 1);
  if (!isMembers(value)) return;
  for (const [name, member] of Object.entries(value)) {
    if (isMembers(member)) checkNode(walk, name, member);
    if (name === 'lockingClause') reportNode(walk, undefined, 'FOR UPDATE and other locks are not allowed.');
    visit(walk, member, depth + 1);
  }
}

function checkNode(walk: Walk, kind: string, node: Members): void {
  if (kind === 'FuncCall') checkFunction(walk, node);
  else if (kind === 'RangeVar') checkTable(walk, node);
  else if (kind === 'A_Expr') checkOperator(walk, node);
  else if (kind === 'ParamRef') walk.parameterCount = Math.max(walk.parameterCount, Number(node.number ?? 0));
  else if (kind === 'intoClause') reportNode(walk, undefined, 'SELECT INTO is not allowed.');
  else if (kind.endsWith('Stmt') && kind !== 'SelectStmt')
    reportNode(walk, node, 'Only a SELECT or WITH statement is allowed.');
}

const names = (list: unknown) =>
  (Array.isArray(list) ? list : []).map((item) => String((item as { String?: { sval?: string } }).String?.sval ?? ''));

function checkFunction(walk: Walk, node: Members): void {
  const path = names(node.funcname);
  const name = path.at(-1)!;
  const builtIn = path.length === 1 || (path.length === 2 && path[0] === 'pg_catalog');
  if (!builtIn || !POSTGRES_FUNCTIONS.has(name))
    reportNode(walk, node, `The function ${path.join('.')} is not allowed.`);
}

function checkOperator(walk: Walk, node: Members): void {
  const path = names(node.name);
  if (path.length > 1 && path[0] !== 'pg_catalog')
    reportNode(walk, node, `The operator ${path.join('.')} is not allowed.`);
}

function checkTable(walk: Walk, node: Members): void {
  const [schema, table] = [node.schemaname as string | undefined, String(node.relname)];
  // Postgres searches `pg_catalog` first, so a bare `pg_…` name means a system catalog even if a WITH clause defines
  // it.
  const system = schema === undefined ? table.startsWith('pg_') : /^(pg_.*|information_schema)$/.test(schema);
  if (node.catalogname !== undefined) reportNode(walk, node, 'A table must be named without its database.');
  else if (system) reportNode(walk, node, `The system catalog ${table} is not allowed.`);
  else if (schema !== undefined || !walk.withNames.has(table))
    walk.tables.add(schema === undefined ? table : `${schema}.${table}`);
}

function reportNode(walk: Walk, node: Members | undefined, message: string): void {
  if (walk.issues.length >= MAX_ISSUES) return;
  const place = typeof node?.location === 'number' ? { position: positionAtByte(walk.sql, node.location) } : {};
  walk.issues.push({ code: 'SQL_NOT_READ_ONLY', message, ...place });
}
