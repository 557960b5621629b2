import { folded } from '../duckdb/column-names.ts';
import { quoteIdentifier } from '../duckdb/quoting.ts';
import { isNode, type TreeNode } from '../sql/parse-tree.ts';
import { alike } from './comparisons.ts';
import { type Context, condition, rejectUnknownMembers } from './context.ts';
import { type NamedTable, resolve, type Scope, type TypedColumn } from './scope.ts';
import type { Typed } from './typed.ts';

/** A translated FROM clause: its text, and the columns that can be named. */
export interface Source {
  sql: string;
  scope: Scope;
}

export interface TableContext extends Context {
  /** Columns of the step's inputs and of WITH queries, by folded name. */
  known: ReadonlyMap<string, readonly TypedColumn[]>;
}

const JOINS: Record<string, string> = { INNER: 'JOIN', LEFT: 'LEFT JOIN', RIGHT: 'RIGHT JOIN', FULL: 'FULL JOIN' };

const nothing = (outer: Scope | undefined): Source => ({ sql: '', scope: { tables: [], outer } });

/** Translates a FROM clause. */
export function tableOf(node: TreeNode, context: TableContext): Source {
  switch (node.type) {
    case 'EMPTY':
      return nothing(context.scope);
    case 'BASE_TABLE':
      return baseTable(node, context);
    case 'SUBQUERY':
      return subqueryTable(node, context);
    case 'JOIN':
      return join(node, context);
    default:
      context.issues.add(`${String(node.type).replaceAll('_', ' ')} in FROM has no counterpart in Athena.`, node);
      return nothing(context.scope);
  }
}

function baseTable(node: TreeNode, context: TableContext): Source {
  rejectUnknownMembers(context, node, ['table_name', 'column_name_alias']);
  const name = String(node.table_name);
  const columns = context.known.get(folded(name));
  if (!columns) context.issues.add(`The table ${name} has no counterpart in Athena.`, node);
  return named(quoteIdentifier(name), columns ?? [], node, name, context);
}

function subqueryTable(node: TreeNode, context: TableContext): Source {
  rejectUnknownMembers(context, node, ['subquery', 'column_name_alias']);
  const { sql, columns } = context.query((node.subquery as { node: TreeNode }).node, context);
  return named(`(${sql})`, columns as TypedColumn[], node, 'unnamed_subquery', context);
}

function named(
  sql: string,
  columns: readonly TypedColumn[],
  { alias = '', column_name_alias: names }: TreeNode,
  own: string,
  context: TableContext,
): Source {
  const given = (names as string[] | undefined) ?? [];
  const renamed = columns.map((column, index) => ({ ...column, name: given[index] ?? column.name }));
  const list = given.length > 0 ? ` (${renamed.map(({ name }) => quoteIdentifier(name)).join(', ')})` : '';
  const table: NamedTable = { alias: String(alias) || own, columns: renamed };
  return {
    sql: `${sql} AS ${quoteIdentifier(table.alias)}${list}`,
    scope: { tables: [table], outer: context.scope },
  };
}

function join(node: TreeNode, context: TableContext): Source {
  rejectUnknownMembers(context, node, ['left', 'right', 'condition', 'join_type', 'ref_type', 'using_columns']);
  const [left, right] = [tableOf(node.left as TreeNode, context), tableOf(node.right as TreeNode, context)];
  const tables = [...left.scope.tables, ...right.scope.tables];
  const scope: Scope = { tables, outer: context.scope, shared: new Map(left.scope.shared) };
  const word = JOINS[String(node.join_type)];
  if (node.ref_type === 'CROSS') return { sql: `${left.sql} CROSS JOIN ${right.sql}`, scope };
  if (node.ref_type !== 'REGULAR' || !word) {
    const kind = node.ref_type === 'REGULAR' ? node.join_type : node.ref_type;
    context.issues.add(`${kind} JOIN has no counterpart in Athena.`, node);
    return { sql: '', scope };
  }
  const using = (node.using_columns as string[] | undefined) ?? [];
  if (using.length > 0) return joinUsing({ left, right, word, using }, node, context);
  const on = isNode(node.condition) ? condition(node.condition, { ...context, scope }) : 'TRUE';
  return { sql: `${left.sql} ${word} ${right.sql} ON ${on}`, scope };
}

/** A column of USING appears once; in a row with only a right side it has the value of the right one. */
function joinUsing(
  { left, right, word, using }: { left: Source; right: Source; word: string; using: readonly string[] },
  node: TreeNode,
  context: TableContext,
): Source {
  const shared = new Map(left.scope.shared);
  const on = using.map((name) => {
    const inner = (source: Source) => resolve({ ...source.scope, outer: undefined }, [name]);
    const [mine, its] = [inner(left), inner(right)];
    const both = mine && its && mine.type !== 'double' && its.type !== 'double' ? alike(mine, its) : undefined;
    if (!both) {
      context.issues.add(`USING (${name}) joins columns that Athena compares differently.`, node);
      return 'TRUE';
    }
    const one: Typed =
      word === 'JOIN' || word === 'LEFT JOIN'
        ? mine!
        : { sql: `coalesce(${mine!.sql}, ${its!.sql})`, type: mine!.type };
    shared.set(folded(name), one);
    return `(${mine!.sql} = ${its!.sql})`;
  });
  const hidden = new Set(using.map(folded));
  const hiding = right.scope.tables.map((table) => ({
    ...table,
    hidden: new Set([...(table.hidden ?? []), ...hidden]),
  }));
  return {
    sql: `${left.sql} ${word} ${right.sql} ON ${on.join(' AND ')}`,
    scope: { tables: [...left.scope.tables, ...hiding], shared, outer: context.scope },
  };
}
