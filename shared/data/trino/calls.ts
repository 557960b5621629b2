import { folded } from '../duckdb/column-names.ts';
import { isNode, type TreeNode } from '../sql/parse-tree.ts';
import { AGGREGATES, type AggregateCall } from './aggregate-functions.ts';
import { comparisonSql } from './comparisons.ts';
import { type Context, condition, listOf, rejectUnknownMembers } from './context.ts';
import { type FunctionRule, NotPortable, ruleFor } from './function-table.ts';
import { NUMBER_FUNCTIONS } from './number-functions.ts';
import { TEXT_FUNCTIONS } from './text-functions.ts';
import { INTERVALS, TIME_FUNCTIONS, timeArithmetic } from './time-functions.ts';
import { fits, type Typed, UNKNOWN } from './typed.ts';
import { mismatch } from './unify.ts';

export const FUNCTIONS: Readonly<Record<string, readonly FunctionRule[]>> = {
  ...TEXT_FUNCTIONS,
  ...NUMBER_FUNCTIONS,
  ...TIME_FUNCTIONS,
};

/** Translates a call of DuckDB's tree: an aggregate, an interval or a function. */
export function call(node: TreeNode, context: Context): Typed {
  const name = folded(String(node.function_name));
  if (Object.hasOwn(AGGREGATES, name)) return aggregate(name, node, context);
  rejectUnknownMembers(context, node, ['function_name', 'children', 'order_bys']);
  if (orderOf(node, context) !== '') context.issues.add(`ORDER BY within ${name} has no counterpart in Athena.`, node);
  const children = listOf(node.children);
  if (Object.hasOwn(INTERVALS, name)) return interval(INTERVALS[name]!, children, node, context);
  if (name !== 'nullif' && !Object.hasOwn(FUNCTIONS, name)) {
    return context.issues.add(`The function ${name} has no counterpart in Athena.`, node);
  }
  const args = children.map((each) => context.expression(each, context));
  if (name === 'nullif') return nullIf(args, node, context);
  return functionCall(name, args, node, context);
}

function nullIf([value, other]: readonly Typed[], node: TreeNode, context: Context): Typed {
  const equal = comparisonSql('=', value!, other!);
  if (!equal) return mismatch(context, node, value!, other!);
  return { sql: `CASE WHEN ${equal} THEN NULL ELSE ${value!.sql} END`, type: value!.type };
}

/** Translates a function with the given arguments by the table of functions. */
export function functionCall(
  name: string,
  args: readonly Typed[],
  node: TreeNode | undefined,
  context: Context,
): Typed {
  if (args.some(({ type }) => type === 'unknown')) return UNKNOWN;
  if ((name === '+' || name === '-') && args.length === 2) {
    const moved = timeArithmetic(name, args[0]!, args[1]!);
    if (moved) return moved;
  }
  const rule = ruleFor(FUNCTIONS[name]!, args);
  if (!rule) {
    const types = args.map(({ type }) => type).join(', ');
    return context.issues.add(`The function ${name} has no counterpart in Athena for (${types}).`, node);
  }
  return catchNotPortable(name, node, context, () => ({
    sql: rule.write(...args),
    type: typeof rule.gives === 'string' ? rule.gives : rule.gives(args),
  }));
}

export function catchNotPortable(
  name: string,
  node: TreeNode | undefined,
  context: Context,
  write: () => Typed,
): Typed {
  try {
    return write();
  } catch (error) {
    if (!(error instanceof NotPortable)) throw error;
    return context.issues.add(`The function ${name} cannot run in Athena: ${error.message}.`, node);
  }
}

/** DuckDB parses `INTERVAL 3 DAY` as `to_days(CAST(trunc(CAST(3 AS DOUBLE)) AS INTEGER))`. */
function interval(unit: string, [count]: readonly TreeNode[], node: TreeNode, context: Context): Typed {
  let inner = count;
  while (inner && (inner.class === 'CAST' || folded(String(inner.function_name)) === 'trunc')) {
    inner = (inner.class === 'CAST' ? inner.child : listOf(inner.children)[0]) as TreeNode;
  }
  const value = inner ? context.expression(inner, context) : UNKNOWN;
  if (fits(value.type, 'integer')) return { sql: value.sql, type: 'interval', unit };
  return context.issues.add('An interval of other than whole units has no counterpart in Athena.', node);
}

function aggregate(name: string, node: TreeNode, context: Context): Typed {
  rejectUnknownMembers(context, node, ['function_name', 'children', 'order_bys', 'distinct', 'filter']);
  const args = listOf(node.children).map((each) => context.expression(each, context));
  const filter = isNode(node.filter) ? condition(node.filter, context) : undefined;
  const orderBy = orderOf(node, context);
  return aggregateCall(name, args, { distinct: node.distinct === true, orderBy, where: filter }, node, context);
}

/** Translates an aggregate over the given arguments by the table of aggregates. */
export function aggregateCall(
  name: string,
  args: readonly Typed[],
  {
    distinct,
    orderBy,
    where,
    over = '',
  }: { distinct: boolean; orderBy: string; where?: string | undefined; over?: string },
  node: TreeNode | undefined,
  context: Context,
): Typed {
  const { issues } = context;
  if (args.some(({ type }) => type === 'unknown')) return UNKNOWN;
  const found = AGGREGATES[name]!.find(
    ({ takes }) => takes.length === args.length && args.every(({ type }, index) => fits(type, takes[index]!)),
  );
  if (!found) {
    return issues.add(
      `The function ${name} has no counterpart in Athena for (${args.map(({ type }) => type).join(', ')}).`,
      node,
    );
  }
  if (orderBy !== '' && !found.ordered) issues.add(`ORDER BY within ${name} has no counterpart in Athena.`, node);
  const call: AggregateCall = {
    distinct,
    orderBy,
    filter: (also) => {
      const all = [where, also].filter((each) => each !== undefined).join(' AND ');
      return `${all === '' ? '' : ` FILTER (WHERE ${all})`}${over}`;
    },
  };
  return catchNotPortable(name, node, context, () => ({
    sql: found.write(call, ...args),
    type: typeof found.gives === 'string' ? found.gives : found.gives(args),
  }));
}

function orderOf(node: TreeNode, context: Context): string {
  const orders = isNode(node.order_bys) ? listOf(node.order_bys.orders) : [];
  return orders.length === 0 ? '' : `ORDER BY ${orders.map((each) => sortKey(each, context)).join(', ')}`;
}

/** A sort key with an explicit position of NULLs. It is the default of both engines, but readers need not know that. */
export function sortKey(order: TreeNode, context: Context): string {
  const key = context.expression(order.expression as TreeNode, context);
  return `${key.sql} ${direction(order)}`;
}

export function direction({ type, null_order: nulls }: TreeNode): string {
  const way = type === 'DESCENDING' ? 'DESC' : 'ASC';
  return `${way} NULLS ${String(nulls).replaceAll('_', ' ') === 'NULLS FIRST' ? 'FIRST' : 'LAST'}`;
}
