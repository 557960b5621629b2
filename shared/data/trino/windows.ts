import { folded } from '../duckdb/column-names.ts';
import { isNode, type TreeNode } from '../sql/parse-tree.ts';
import { AGGREGATES } from './aggregate-functions.ts';
import { aggregateCall, sortKey } from './calls.ts';
import { type Context, condition, listOf, rejectUnknownMembers } from './context.ts';
import type { Typed } from './typed.ts';
import { unify } from './unify.ts';

interface WindowFunction {
  args: 0 | 1;
  gives: 'integer' | 'double' | 'argument';
  /** Whether its result depends on the order of the rows. */
  ordered: boolean;
  /** Whether it supports IGNORE NULLS. */
  skips?: boolean;
}

const RANK = { args: 0, gives: 'integer', ordered: true } as const;
const SHARE = { args: 0, gives: 'double', ordered: true } as const;
const VALUE = { args: 1, gives: 'argument', ordered: true, skips: true } as const;

export const WINDOW_FUNCTIONS: Readonly<Record<string, WindowFunction>> = {
  row_number: RANK,
  rank: RANK,
  dense_rank: RANK,
  rank_dense: RANK,
  percent_rank: SHARE,
  cume_dist: SHARE,
  lag: VALUE,
  lead: VALUE,
  first_value: VALUE,
  last_value: VALUE,
};

const BOUNDS: Record<string, [unit: 'ROWS' | 'RANGE' | 'GROUPS' | '', text: string]> = {
  UNBOUNDED_PRECEDING: ['', 'UNBOUNDED PRECEDING'],
  UNBOUNDED_FOLLOWING: ['', 'UNBOUNDED FOLLOWING'],
  CURRENT_ROW_ROWS: ['ROWS', 'CURRENT ROW'],
  CURRENT_ROW_RANGE: ['RANGE', 'CURRENT ROW'],
  EXPR_PRECEDING_ROWS: ['ROWS', '? PRECEDING'],
  EXPR_FOLLOWING_ROWS: ['ROWS', '? FOLLOWING'],
};

const MEMBERS = [
  'function_name',
  'children',
  'partitions',
  'orders',
  'start',
  'end',
  'start_expr',
  'end_expr',
  'offset_expr',
  'default_expr',
  'ignore_nulls',
  'filter_expr',
  'distinct',
];

/** Translates a window function of DuckDB's tree. */
export function windowOf(node: TreeNode, context: Context): Typed {
  rejectUnknownMembers(context, node, MEMBERS);
  const name = folded(String(node.function_name));
  const over = {
    partitionBy: listOf(node.partitions).map((each) => context.expression(each, context).sql),
    orderBy: listOf(node.orders).map((each) => sortKey(each, context)),
    frame: frameOf(node, context),
  };
  const args = listOf(node.children).map((each) => context.expression(each, context));
  if (!Object.hasOwn(WINDOW_FUNCTIONS, name)) {
    if (node.distinct) context.issues.add(`DISTINCT within ${name} over a window has no counterpart in Athena.`, node);
    const where = isNode(node.filter_expr) ? condition(node.filter_expr, context) : undefined;
    return aggregateOver(name, args, { ...over, where }, node, context);
  }
  const more = offsetOf(name, args, node, context);
  return valueOver(name, args, { ...over, ...more, ignoreNulls: node.ignore_nulls === true }, node, context);
}

export interface Over {
  partitionBy: readonly string[];
  orderBy: readonly string[];
  /** ` ROWS …`, or an empty text for the default frame of both engines. */
  frame: string;
}

const overText = ({ partitionBy, orderBy, frame }: Over): string => {
  const parts = [];
  if (partitionBy.length > 0) parts.push(`PARTITION BY ${partitionBy.join(', ')}`);
  if (orderBy.length > 0) parts.push(`ORDER BY ${orderBy.join(', ')}`);
  return `OVER (${parts.join(' ')}${frame})`;
};

/** Translates an aggregate over a window. */
export function aggregateOver(
  name: string,
  args: readonly Typed[],
  over: Over & { where?: string | undefined },
  node: TreeNode | undefined,
  context: Context,
): Typed {
  const simple =
    Object.hasOwn(AGGREGATES, name) &&
    AGGREGATES[name]!.some((each) => each.overWindow && each.takes.length === args.length);
  if (!simple) return context.issues.add(`The function ${name} has no counterpart in Athena over a window.`, node);
  return aggregateCall(
    name,
    args,
    { distinct: false, orderBy: '', where: over.where, over: ` ${overText(over)}` },
    node,
    context,
  );
}

/** Translates a pure window function. */
export function valueOver(
  name: string,
  args: readonly Typed[],
  over: Over & { ignoreNulls?: boolean; more?: string },
  node: TreeNode | undefined,
  context: Context,
): Typed {
  const known = WINDOW_FUNCTIONS[name]!;
  if (known.ordered && over.orderBy.length === 0) {
    return context.issues.add(`${name} needs an ORDER BY in its window: Athena keeps no order of rows.`, node);
  }
  if (known.args !== args.length || (over.ignoreNulls && !known.skips)) {
    return context.issues.add(`The function ${name} has no counterpart in Athena as it is called here.`, node);
  }
  const nulls = over.ignoreNulls ? ' IGNORE NULLS' : '';
  const trino = name === 'rank_dense' ? 'dense_rank' : name;
  return {
    sql: `${trino}(${args.map(({ sql }) => sql).join(', ')}${over.more ?? ''})${nulls} ${overText(over)}`,
    type: known.gives === 'argument' ? args[0]!.type : known.gives,
  };
}

/** The offset and the default value of `lag` and `lead`. */
function offsetOf(name: string, args: Typed[], node: TreeNode, context: Context): { more: string; frame?: string } {
  if (name !== 'lag' && name !== 'lead') return { more: '' };
  const offset = isNode(node.offset_expr) ? context.expression(node.offset_expr, context) : undefined;
  const otherwise = isNode(node.default_expr) ? context.expression(node.default_expr, context) : undefined;
  if (offset && (offset.number === undefined || offset.number < 0)) {
    context.issues.add(`${name} needs a literal number of rows to run in Athena.`, node);
  }
  if (!otherwise) return { more: offset ? `, ${offset.sql}` : '', frame: '' };
  const { values } = unify([args[0]!, otherwise], node, context);
  return { more: `, ${offset?.sql ?? '1'}, ${values[1]!.sql}`, frame: '' };
}

function frameOf(node: TreeNode, context: Context): string {
  const name = folded(String(node.function_name));
  // Ranks, `lag` and `lead` ignore the frame.
  if (Object.hasOwn(WINDOW_FUNCTIONS, name) && !['first_value', 'last_value'].includes(name)) return '';
  const [start, end] = [node.start ?? 'UNBOUNDED_PRECEDING', node.end ?? 'CURRENT_ROW_RANGE'].map(String);
  const bounds = [BOUNDS[start!], BOUNDS[end!]];
  if (!bounds[0] || !bounds[1]) {
    context.issues.add('A frame other than of rows has no counterpart in Athena.', node);
    return '';
  }
  const unit = bounds.map((bound) => bound![0]).find((each) => each !== '') ?? 'ROWS';
  const texts = bounds.map((bound, index) => {
    const member = node[index === 0 ? 'start_expr' : 'end_expr'];
    if (!bound![1].startsWith('?')) return bound![1];
    const count = isNode(member) ? context.expression(member, context) : undefined;
    if (count?.number === undefined || count.number < 0) {
      context.issues.add('A frame of rows needs a literal number.', node);
      return 'CURRENT ROW';
    }
    return bound![1].replace('?', count.sql);
  });
  if (unit === 'RANGE' && start === 'UNBOUNDED_PRECEDING' && end === 'CURRENT_ROW_RANGE') return '';
  return ` ${unit} BETWEEN ${texts.join(' AND ')}`;
}
