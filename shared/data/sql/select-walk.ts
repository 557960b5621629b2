import { type DataErrorCode, type DataIssue, positionAtByte } from '../../platform/errors/data-error.ts';
import { folded } from '../duckdb/column-names.ts';
import allowedFunctions from './allowed-functions.json' with { type: 'json' };
import { ALLOWED_TABLE_FUNCTIONS, DENIED_FUNCTIONS } from './denied-functions.ts';
import { EXPRESSION_CLASSES, isNode, PARTS, QUERY_NODES, TABLE_REFERENCES, type TreeNode } from './parse-tree.ts';
import { noTable } from './unknown-table.ts';

// `unnest` belongs to DuckDB's expression grammar, not to its catalog of scalar functions.
const ALLOWED_FUNCTIONS = new Set([...allowedFunctions.names.map(folded), 'unnest']);
const MAX_TREE_DEPTH = 2000;
/** Finding the positions of all issues of a long text would take longer than running it. */
const MAX_ISSUES = 50;

interface Walk {
  sql: string;
  /** Names of allowed tables by their folded form. */
  allowed: Map<string, string>;
  found: Set<string>;
  issues: DataIssue[];
  mayFail: boolean;
}

/** Folded CTE names of one query; `outer` has those of the queries around it. */
interface Scope {
  names: Set<string>;
  outer?: Scope;
}

function sees(scope: Scope | undefined, name: string): boolean {
  for (let level = scope; level; level = level.outer) if (level.names.has(name)) return true;
  return false;
}

/** Checks every node of a statement's tree and rejects unknown ones. */
export function walkSelect(
  root: TreeNode,
  { sql, tables, mayFail }: { sql: string; tables: readonly string[]; mayFail?: true | undefined },
): { issues: DataIssue[]; tables: string[] } {
  const allowed = new Map(tables.map((name) => [folded(name), name]));
  const walk: Walk = { sql, allowed, found: new Set(), issues: [], mayFail: mayFail ?? false };
  visit(walk, root, { names: new Set() }, 0);
  return { issues: walk.issues, tables: [...walk.found] };
}

function visit(walk: Walk, value: unknown, scope: Scope, depth: number): void {
  if (depth > MAX_TREE_DEPTH) {
    if (!walk.issues.some(({ message }) => message === TOO_DEEP)) report(walk, undefined, TOO_DEEP, 'SQL_PARSE');
    return;
  }
  if (Array.isArray(value)) {
    for (const item of value) visit(walk, item, scope, depth + 1);
    return;
  }
  if (!isNode(value) || isConstantValue(value)) return;
  const kind = value.type;
  if (value.class !== undefined) visitExpression(walk, value, scope, depth);
  else if (typeof kind !== 'string' || PARTS.test(kind)) visitMembers(walk, value, scope, depth);
  else if (QUERY_NODES.has(kind)) visitQuery(walk, value, scope, depth);
  else if (TABLE_REFERENCES.has(kind)) visitTable(walk, value, scope, depth);
  else
    report(
      walk,
      value,
      kind === 'SHOW_REF' ? 'DESCRIBE, SHOW and SUMMARIZE are not allowed.' : `${kind} is not allowed.`,
    );
}

const TOO_DEEP = 'The statement is nested too deep.';

/** The content of a literal is data and needs no check. */
const isConstantValue = (node: TreeNode) => isNode(node.type) && typeof node.type.id === 'string';

function visitMembers(walk: Walk, node: TreeNode, scope: Scope, depth: number, except?: string): void {
  for (const [name, member] of Object.entries(node)) {
    if (name !== except) visit(walk, member, scope, depth + 1);
  }
}

function visitExpression(walk: Walk, node: TreeNode, scope: Scope, depth: number): void {
  if (!EXPRESSION_CLASSES.has(String(node.class))) report(walk, node, `${node.class} is not allowed.`);
  if (node.class === 'CONSTANT') return;
  if (node.class === 'FUNCTION' || node.class === 'WINDOW') checkFunction(walk, node);
  visitMembers(walk, node, scope, depth);
}

function checkFunction(walk: Walk, node: TreeNode): void {
  const name = folded(String(node.function_name));
  if (ALLOWED_FUNCTIONS.has(name) || (walk.mayFail && name === 'error')) return;
  const known = Object.values(DENIED_FUNCTIONS).some((pattern) => pattern.test(name));
  if (known) report(walk, node, `The function ${name} is not allowed.`);
  else report(walk, node, `There is no function ${name}.`, 'SQL_ERROR');
}

/** A name of a WITH clause is visible to later names and to the query, and to itself only if it is recursive. */
function visitQuery(walk: Walk, node: TreeNode, outer: Scope, depth: number): void {
  const scope: Scope = { names: new Set(), outer };
  const entries = isNode(node.cte_map) && Array.isArray(node.cte_map.map) ? node.cte_map.map : [];
  for (const entry of entries) {
    visit(walk, entry.value, scope, depth + 1);
    scope.names.add(folded(String(entry.key)));
  }
  if (node.type === 'RECURSIVE_CTE_NODE') {
    visit(walk, node.left, scope, depth + 1);
    scope.names.add(folded(String(node.cte_name)));
    visit(walk, node.right, scope, depth + 1);
    visitMembers(walk, { ...node, left: undefined, right: undefined }, scope, depth, 'cte_map');
    return;
  }
  if (isImplicitSelect(walk, node))
    report(walk, (node.select_list as TreeNode[])[0], 'FROM and TABLE need a SELECT before them.');
  visitMembers(walk, node, scope, depth, 'cte_map');
}

/** `FROM t` and `TABLE t` have the same tree as `SELECT * FROM t`, but the text has no `*`. */
function isImplicitSelect(walk: Walk, node: TreeNode): boolean {
  const [star] = Array.isArray(node.select_list) ? (node.select_list as TreeNode[]) : [];
  if (star?.class !== 'STAR' || star.columns || star.relation_name || star.query_location === undefined) return false;
  return (
    Buffer.from(walk.sql)
      .subarray(star.query_location, star.query_location + 1)
      .toString() !== '*'
  );
}

function visitTable(walk: Walk, node: TreeNode, scope: Scope, depth: number): void {
  if (node.type === 'BASE_TABLE') checkTable(walk, node, scope);
  if (node.type === 'TABLE_FUNCTION') {
    const call = isNode(node.function) ? node.function : {};
    const name = folded(String(call.function_name));
    if (!ALLOWED_TABLE_FUNCTIONS.has(name)) report(walk, node, `The table function ${name} is not allowed.`);
    visit(walk, call.children, scope, depth + 1);
    visitMembers(walk, node, scope, depth, 'function');
    return;
  }
  visitMembers(walk, node, scope, depth);
}

function checkTable(walk: Walk, node: TreeNode, scope: Scope): void {
  const written = String(node.table_name);
  const name = walk.allowed.get(folded(written));
  if (node.schema_name || node.catalog_name) report(walk, node, withoutSchema(qualifiedName(node)));
  else if (node.at_clause) report(walk, node, 'AT is not allowed.');
  else if (sees(scope, folded(written))) return;
  else if (name === undefined) report(walk, node, noTable(written, walk.allowed.values()), 'NOT_FOUND');
  else walk.found.add(name);
}

const qualifiedName = ({ catalog_name, schema_name, table_name }: TreeNode): string =>
  [catalog_name, schema_name, table_name].filter(Boolean).join('.');

const withoutSchema = (name: string) =>
  `The table ${name} must be named without a schema, since only datasets and inputs are known here. To read a table of a database, set sourceId.`;

function report(
  walk: Walk,
  node: TreeNode | undefined,
  message: string,
  code: DataErrorCode = 'SQL_NOT_READ_ONLY',
): void {
  if (walk.issues.length >= MAX_ISSUES) return;
  const place = node?.query_location === undefined ? {} : { position: positionAtByte(walk.sql, node.query_location) };
  walk.issues.push({ code, message, ...place });
}
