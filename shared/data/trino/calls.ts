import { folded } from '../duckdb/column-names.ts';
import { isNode, type TreeNode } from '../sql/parse-tree.ts';
import { AGGREGATES, type Gathering } from './aggregate-functions.ts';
import { compared } from './comparisons.ts';
import { type Context, condition, listOf, onlyKnows } from './context.ts';
import { NotPortable, type Saying, sayingFor } from './function-table.ts';
import { NUMBER_FUNCTIONS } from './number-functions.ts';
import { TEXT_FUNCTIONS } from './text-functions.ts';
import { INTERVALS, TIME_FUNCTIONS, timeArithmetic } from './time-functions.ts';
import { fits, type Typed, UNKNOWN } from './typed.ts';
import { mismatch } from './unify.ts';

export const FUNCTIONS: Readonly<Record<string, readonly Saying[]>> = {
  ...TEXT_FUNCTIONS,
  ...NUMBER_FUNCTIONS,
  ...TIME_FUNCTIONS,
};

/** A call in DuckDB's tree: an aggregate, an interval or a function of the table. */
export function call(node: TreeNode, context: Context): Typed {
  const name = folded(String(node.function_name));
  if (Object.hasOwn(AGGREGATES, name)) return aggregate(name, node, context);
  onlyKnows(context, node, ['function_name', 'children', 'order_bys']);
  if (orderOf(node, context) !== '')
    context.refusals.add(`ORDER BY within ${name} has no counterpart in Athena.`, node);
  const children = listOf(node.children);
  if (Object.hasOwn(INTERVALS, name)) return interval(INTERVALS[name]!, children, node, context);
  if (name !== 'nullif' && !Object.hasOwn(FUNCTIONS, name)) {
    return context.refusals.add(`The function ${name} has no counterpart in Athena.`, node);
  }
  const args = children.map((each) => context.expression(each, context));
  if (name === 'nullif') return nullIf(args, node, context);
  return applied(name, args, node, context);
}

function nullIf([value, other]: readonly Typed[], node: TreeNode, context: Context): Typed {
  const equal = compared('=', value!, other!);
  if (!equal) return mismatch(context, node, value!, other!);
  return { sql: `CASE WHEN ${equal} THEN NULL ELSE ${value!.sql} END`, type: value!.type };
}

/** A function of the table with the given arguments. */
export function applied(name: string, args: readonly Typed[], node: TreeNode | undefined, context: Context): Typed {
  if (args.some(({ type }) => type === 'unknown')) return UNKNOWN;
  if ((name === '+' || name === '-') && args.length === 2) {
    const moved = timeArithmetic(name, args[0]!, args[1]!);
    if (moved) return moved;
  }
  const saying = sayingFor(FUNCTIONS[name]!, args);
  if (!saying) {
    const types = args.map(({ type }) => type).join(', ');
    return context.refusals.add(`The function ${name} has no counterpart in Athena for (${types}).`, node);
  }
  return said(name, node, context, () => ({
    sql: saying.write(...args),
    type: typeof saying.gives === 'string' ? saying.gives : saying.gives(args),
  }));
}

export function said(name: string, node: TreeNode | undefined, context: Context, write: () => Typed): Typed {
  try {
    return write();
  } catch (error) {
    if (!(error instanceof NotPortable)) throw error;
    return context.refusals.add(`The function ${name} cannot move to Athena: ${error.message}.`, node);
  }
}

/** `INTERVAL 3 DAY` comes as `to_days(CAST(trunc(CAST(3 AS DOUBLE)) AS INTEGER))`. */
function interval(unit: string, [count]: readonly TreeNode[], node: TreeNode, context: Context): Typed {
  let inner = count;
  while (inner && (inner.class === 'CAST' || folded(String(inner.function_name)) === 'trunc')) {
    inner = (inner.class === 'CAST' ? inner.child : listOf(inner.children)[0]) as TreeNode;
  }
  const value = inner ? context.expression(inner, context) : UNKNOWN;
  if (fits(value.type, 'integer')) return { sql: value.sql, type: 'interval', unit };
  return context.refusals.add('An interval of other than whole units has no counterpart in Athena.', node);
}

function aggregate(name: string, node: TreeNode, context: Context): Typed {
  onlyKnows(context, node, ['function_name', 'children', 'order_bys', 'distinct', 'filter']);
  const args = listOf(node.children).map((each) => context.expression(each, context));
  const filter = isNode(node.filter) ? condition(node.filter, context) : undefined;
  const orderBy = orderOf(node, context);
  return gathered(name, args, { distinct: node.distinct === true, orderBy, where: filter }, node, context);
}

/** An aggregate of the table over the given arguments. */
export function gathered(
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
  const { refusals } = context;
  if (args.some(({ type }) => type === 'unknown')) return UNKNOWN;
  const found = AGGREGATES[name]!.find(
    ({ takes }) => takes.length === args.length && args.every(({ type }, index) => fits(type, takes[index]!)),
  );
  if (!found) {
    return refusals.add(
      `The function ${name} has no counterpart in Athena for (${args.map(({ type }) => type).join(', ')}).`,
      node,
    );
  }
  if (orderBy !== '' && !found.ordered) refusals.add(`ORDER BY within ${name} has no counterpart in Athena.`, node);
  const gathering: Gathering = {
    distinct,
    orderBy,
    filter: (also) => {
      const all = [where, also].filter((each) => each !== undefined).join(' AND ');
      return `${all === '' ? '' : ` FILTER (WHERE ${all})`}${over}`;
    },
  };
  return said(name, node, context, () => ({
    sql: found.write(gathering, ...args),
    type: typeof found.gives === 'string' ? found.gives : found.gives(args),
  }));
}

function orderOf(node: TreeNode, context: Context): string {
  const orders = isNode(node.order_bys) ? listOf(node.order_bys.orders) : [];
  return orders.length === 0 ? '' : `ORDER BY ${orders.map((each) => sortKey(each, context)).join(', ')}`;
}

/** A sort key with the place of NULLs written out: they are last in both engines, but who reads it need not know. */
export function sortKey(order: TreeNode, context: Context): string {
  const key = context.expression(order.expression as TreeNode, context);
  return `${key.sql} ${direction(order)}`;
}

export function direction({ type, null_order: nulls }: TreeNode): string {
  const way = type === 'DESCENDING' ? 'DESC' : 'ASC';
  return `${way} NULLS ${String(nulls).replaceAll('_', ' ') === 'NULLS FIRST' ? 'FIRST' : 'LAST'}`;
}
