import { folded } from '../duckdb/column-names.ts';
import type { EngineParameter } from '../duckdb/parameters.ts';
import { quoteIdentifier } from '../duckdb/quoting.ts';
import { isNode, type TreeNode, visitNodes } from '../sql/parse-tree.ts';
import { AGGREGATES } from './aggregate-functions.ts';
import { direction } from './calls.ts';
import { condition, listOf, rejectUnknownMembers } from './context.ts';
import { expression } from './expressions.ts';
import { keptRows } from './kept-rows.ts';
import type { PortabilityIssues } from './portability-issues.ts';
import type { TypedColumn } from './scope.ts';
import { aliasesOf, type Item, itemsOf } from './select-list.ts';
import { type Source, type TableContext, tableOf } from './tables.ts';
import { commonType, type Typed } from './typed.ts';

export interface Query {
  sql: string;
  columns: TypedColumn[];
}

type Known = TableContext['known'];

/** Translates a query of DuckDB's tree. `inputs` are the tables that it may name. */
export function queryOf(
  root: TreeNode,
  inputs: Readonly<Record<string, readonly TypedColumn[]>>,
  { issues, params }: { issues: PortabilityIssues; params: readonly EngineParameter[] },
): Query {
  const known: Known = new Map(Object.entries(inputs).map(([name, columns]) => [folded(name), columns]));
  return query(root, {
    known,
    issues,
    params,
    scope: undefined,
    expression,
    query: () => ({ sql: '', columns: [] }),
  });
}

function query(node: TreeNode, outside: TableContext): Query {
  const context: TableContext = { ...outside };
  const clauses = withClauses(node, context);
  // A query within an expression can use the columns around it and the earlier names of WITH.
  context.query = (inner, { scope }) => query(inner, { ...context, scope });
  const made = body(node, context);
  return { ...made, sql: clauses.length === 0 ? made.sql : `WITH ${clauses.join(', ')} ${made.sql}` };
}

function withClauses(node: TreeNode, context: TableContext): string[] {
  const entries = isNode(node.cte_map) ? listOf(node.cte_map.map) : [];
  return (entries as unknown as { key: string; value: { query: { node: TreeNode }; aliases?: string[] } }[]).map(
    ({ key, value }) => {
      const { aliases = [] } = value;
      const { sql, columns } = query(value.query.node, { ...context });
      const named = columns.map((column, index) => ({ ...column, name: aliases[index] ?? column.name }));
      context.known = new Map(context.known).set(folded(key), named);
      const list = aliases.length > 0 ? ` (${named.map(({ name }) => quoteIdentifier(name)).join(', ')})` : '';
      return `${quoteIdentifier(key)}${list} AS (${sql})`;
    },
  );
}

function body(node: TreeNode, context: TableContext): Query {
  if (node.type === 'SELECT_NODE') return select(node, context);
  if (node.type === 'SET_OPERATION_NODE') return setOperation(node, context);
  context.issues.add(
    `${node.type === 'RECURSIVE_CTE_NODE' ? 'WITH RECURSIVE' : node.type} has no counterpart in Athena.`,
    node,
  );
  return { sql: 'SELECT NULL', columns: [] };
}

function setOperation(node: TreeNode, context: TableContext): Query {
  rejectUnknownMembers(context, node, ['modifiers', 'cte_map', 'setop_type', 'setop_all', 'left', 'right']);
  if (!['UNION', 'INTERSECT', 'EXCEPT'].includes(String(node.setop_type))) {
    context.issues.add(`${String(node.setop_type).replaceAll('_', ' ')} has no counterpart in Athena.`, node);
  }
  const [left, right] = [query(node.left as TreeNode, context), query(node.right as TreeNode, context)];
  const columns = left.columns.map(({ name, type }, index) => {
    const common = commonType(type, right.columns[index]?.type ?? 'unknown');
    if (!common)
      context.issues.add(
        `The columns ${name} of ${node.setop_type} are ${type} and ${right.columns[index]!.type}; add a CAST.`,
        node,
      );
    return { name, type: common ?? 'unknown' };
  });
  const word = `${node.setop_type}${node.setop_all === false ? '' : ' ALL'}`;
  const modifiers = modifiersOf(node, context);
  const key = (order: TreeNode) => {
    const { column_names: names, value } = order.expression as TreeNode;
    const index = Array.isArray(names)
      ? columns.findIndex(({ name }) => folded(name) === folded(String(names.at(-1))))
      : -1;
    const ordinal = index >= 0 ? index + 1 : (value as { value?: number } | undefined)?.value;
    if (typeof ordinal !== 'number')
      context.issues.add(
        'Athena can order the rows of a set operation only by its columns.',
        order.expression as TreeNode,
      );
    return `${ordinal} ${direction(order)}`;
  };
  const rest = modifiers.distinct ? '' : orderAndLimit(modifiers, key, context, node);
  if (modifiers.distinct) context.issues.add('DISTINCT over a set operation has no counterpart in Athena.', node);
  return { sql: `(${left.sql}) ${word} (${right.sql})${rest}`, columns };
}

const SELECT_MEMBERS = [
  'modifiers',
  'cte_map',
  'select_list',
  'from_table',
  'where_clause',
  'group_expressions',
  'group_sets',
  'aggregate_handling',
  'having',
  'qualify',
];

function select(node: TreeNode, outside: TableContext): Query {
  rejectUnknownMembers(outside, node, SELECT_MEMBERS);
  const from: Source = tableOf(node.from_table as TreeNode, outside);
  const context: TableContext = { ...outside, scope: from.scope };
  const items = itemsOf(listOf(node.select_list), context);
  const within: TableContext = { ...context, aliases: aliasesOf(items) };
  const parts: string[] = [];
  if (from.sql !== '') parts.push(`FROM ${from.sql}`);
  if (isNode(node.where_clause)) parts.push(`WHERE ${condition(node.where_clause, within)}`);
  const groups = groupsOf(node, items, within);
  if (groups.length > 0) parts.push(`GROUP BY ${groups.join(', ')}`);
  if (isNode(node.having)) parts.push(`HAVING ${condition(node.having, within)}`);

  const modifiers = modifiersOf(node, context);
  const columns = items.map(({ name, value }) => ({ name, type: value.type }));
  const written = items.map(({ name, value }) => `${value.sql} AS ${quoteIdentifier(name)}`);
  const names = items.map(({ name }) => quoteIdentifier(name)).join(', ');
  const rest = parts.length > 0 ? ` ${parts.join(' ')}` : '';
  const orderKey = (order: TreeNode) => `${orderValue(order.expression, items, within)} ${direction(order)}`;
  const { distinctOn } = modifiers;
  if (distinctOn) {
    if (modifiers.orders.length === 0 || modifiers.limit) {
      context.issues.add('DISTINCT ON needs an ORDER BY, and no LIMIT, to run in Athena.', node);
    }
    const keys = distinctOn.map((each) => orderValue(each, items, within));
    const first = `row_number() OVER (PARTITION BY ${keys.join(', ')} ORDER BY ${modifiers.orders.map(orderKey).join(', ')})`;
    return { sql: keptRows({ outputs: written, where: `(${first} = 1)`, rest }, names), columns };
  }
  if (isNode(node.qualify)) {
    const where = condition(node.qualify, within);
    if (modifiers.orders.length > 0 || modifiers.limit || modifiers.distinct) {
      context.issues.add(
        'QUALIFY beside ORDER BY, LIMIT or DISTINCT has no counterpart in Athena; put it into a separate query.',
        node,
      );
    }
    return { sql: keptRows({ outputs: written, where, rest }, names), columns };
  }
  const distinct = modifiers.distinct ? 'DISTINCT ' : '';
  const tail = orderAndLimit(modifiers, orderKey, context, node);
  return { sql: `SELECT ${distinct}${written.join(', ')}${rest}${tail}`, columns };
}

/** Trino reads a whole number among keys as the position of a column; DuckDB reads this one as a value. */
const asKey = ({ sql }: Typed): string => (/^\d+$/.test(sql) ? `CAST(${sql} AS bigint)` : sql);

/** A sort key may be the position of a column, a name of the select list, or any value. */
function orderValue(key: unknown, items: readonly Item[], context: TableContext): string {
  const node = key as TreeNode;
  const ordinal = node.class === 'CONSTANT' ? (node.value as { value?: unknown }).value : undefined;
  if (typeof ordinal === 'number' && items[ordinal - 1]) return asKey(items[ordinal - 1]!.value);
  const name =
    node.class === 'COLUMN_REF' && (node.column_names as string[]).length === 1 ? node.column_names : undefined;
  const item = name ? items.find((each) => folded(each.name) === folded((name as string[])[0]!)) : undefined;
  return asKey(item?.value ?? expression(node, context));
}

function groupsOf(node: TreeNode, items: readonly Item[], context: TableContext): string[] {
  if (node.aggregate_handling === 'FORCE_AGGREGATES') {
    return items.flatMap(({ value, node: made }) => (made && hasAggregate(made) ? [] : [asKey(value)]));
  }
  const groups = listOf(node.group_expressions);
  const sets = (node.group_sets as number[][] | undefined) ?? [];
  if (sets.length > 1) context.issues.add('Several grouping sets have no counterpart in Athena.', node);
  return groups.map((each) => {
    const ordinal = each.class === 'CONSTANT' ? (each.value as { value?: unknown }).value : undefined;
    return asKey(
      typeof ordinal === 'number' && items[ordinal - 1] ? items[ordinal - 1]!.value : expression(each, context),
    );
  });
}

function hasAggregate(node: TreeNode): boolean {
  let found = false;
  visitNodes(node, (each) => {
    found ||= each.class === 'FUNCTION' && Object.hasOwn(AGGREGATES, folded(String(each.function_name)));
  });
  return found;
}

interface Modifiers {
  orders: TreeNode[];
  limit: TreeNode | undefined;
  distinct: boolean;
  distinctOn: TreeNode[] | undefined;
}

function modifiersOf(node: TreeNode, context: TableContext): Modifiers {
  const found: Modifiers = { orders: [], limit: undefined, distinct: false, distinctOn: undefined };
  for (const each of listOf(node.modifiers)) {
    if (each.type === 'ORDER_MODIFIER') found.orders = listOf(each.orders);
    else if (each.type === 'LIMIT_MODIFIER') found.limit = each;
    else if (each.type === 'DISTINCT_MODIFIER') {
      const on = listOf(each.distinct_on_targets);
      if (on.length > 0) found.distinctOn = on;
      else found.distinct = true;
    } else context.issues.add(`${each.type} has no counterpart in Athena.`, node);
  }
  return found;
}

/** Athena does not keep the order of rows between queries, so ORDER BY and LIMIT are only supported together. */
function orderAndLimit(
  { orders, limit }: Modifiers,
  key: (order: TreeNode) => string,
  context: TableContext,
  node: TreeNode,
): string {
  if (orders.length === 0 && !limit) return '';
  if (!limit)
    context.issues.add('ORDER BY without LIMIT cannot run in Athena, which does not keep the order of rows.', node);
  if (orders.length === 0)
    context.issues.add('LIMIT without ORDER BY cannot run in Athena, which would return other rows.', node);
  const by = ` ORDER BY ${orders.map(key).join(', ')}`;
  if (!limit) return by;
  rejectUnknownMembers(context, limit, ['limit', 'offset']);
  const count = (part: unknown, what: string): string => {
    const value: Typed | undefined = isNode(part) ? expression(part, context) : undefined;
    if (value && (value.number === undefined || !Number.isInteger(value.number))) {
      context.issues.add(`${what} needs a literal whole number to run in Athena.`, node);
    }
    return value?.sql ?? '';
  };
  const [offset, rows] = [count(limit.offset, 'OFFSET'), count(limit.limit, 'LIMIT')];
  return `${by}${offset ? ` OFFSET ${offset}` : ''}${rows ? ` LIMIT ${rows}` : ''}`;
}
