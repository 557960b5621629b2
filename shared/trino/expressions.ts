import type { EngineParameter } from '../engine/parameters.ts';
import { folded, isNode, type TreeNode } from '../sql/parse-tree.ts';
import { AGGREGATES, type Gathering } from './aggregate-functions.ts';
import { castTo } from './casts.ts';
import { alike, type Comparison, compared, readAs } from './comparisons.ts';
import { NotPortable, type Saying, sayingFor } from './function-table.ts';
import { decimal, double, ofParameter, text, truth, whole } from './literals.ts';
import { NUMBER_FUNCTIONS } from './number-functions.ts';
import type { Refusals } from './refusals.ts';
import { resolve, type Scope } from './scope.ts';
import { TEXT_FUNCTIONS } from './text-functions.ts';
import { INTERVALS, TIME_FUNCTIONS, timeArithmetic } from './time-functions.ts';
import { commonType, fits, NULL, type Typed, UNKNOWN } from './typed.ts';
import { windowOf } from './windows.ts';

export const FUNCTIONS: Readonly<Record<string, readonly Saying[]>> = {
  ...TEXT_FUNCTIONS,
  ...NUMBER_FUNCTIONS,
  ...TIME_FUNCTIONS,
};

const SIGNS: Record<string, Comparison> = {
  COMPARE_EQUAL: '=',
  COMPARE_NOTEQUAL: '<>',
  COMPARE_LESSTHAN: '<',
  COMPARE_LESSTHANOREQUALTO: '<=',
  COMPARE_GREATERTHAN: '>',
  COMPARE_GREATERTHANOREQUALTO: '>=',
};

/** Types by DuckDB's words. Smaller integers would overflow elsewhere, and floats have other digits. */
const CAST_TYPES: Record<string, string> = {
  VARCHAR: 'string',
  BIGINT: 'integer',
  DOUBLE: 'double',
  BOOLEAN: 'boolean',
  DATE: 'date',
  TIMESTAMP: 'timestamp',
};

/** Members of nodes that say nothing about the value: names, places, and how it was written. */
const SILENT = new Set(['class', 'type', 'alias', 'query_location', 'is_operator', 'schema']);

export interface Context {
  scope: Scope | undefined;
  refusals: Refusals;
  params: readonly EngineParameter[];
  /** What the names of the select list stand for, where they may be used. */
  aliases?: ReadonlyMap<string, Typed>;
  /** A query within an expression: its text, and its columns. */
  query(node: TreeNode, context: Context): { sql: string; columns: readonly { type: string }[] };
}

export const listOf = (value: unknown): TreeNode[] => (Array.isArray(value) ? (value as TreeNode[]) : []);

/** Refuses what a node holds besides the members that are known: a part that was overlooked would change the meaning. */
export function onlyKnows(context: Context, node: TreeNode, members: readonly string[]): void {
  const other = Object.keys(node).find((name) => !SILENT.has(name) && !members.includes(name));
  if (other) context.refusals.add(`${other.replaceAll('_', ' ')} has no counterpart in Athena.`, node);
}

/** A value of DuckDB's parse tree in Trino's SQL. What cannot be said is told, and stands as an unknown value. */
export function expression(node: TreeNode, context: Context): Typed {
  const { refusals } = context;
  switch (node.class) {
    case 'COLUMN_REF':
      return columnRef(node, context);
    case 'CONSTANT':
      return constant(node) ?? refusals.add('A constant of this kind or size has no counterpart in Athena.', node);
    case 'PARAMETER': {
      const bound = context.params[Number(node.identifier) - 1];
      const made = bound === undefined ? undefined : ofParameter(bound);
      return made ?? refusals.add('A list or an instant as a parameter has no counterpart in Athena.', node);
    }
    case 'CAST':
      return cast(node, context);
    case 'COMPARISON':
      return comparison(node, context);
    case 'CONJUNCTION':
      return conjunction(node, context);
    case 'BETWEEN':
      return between(node, context);
    case 'CASE':
      return caseOf(node, context);
    case 'OPERATOR':
      return operator(node, context);
    case 'FUNCTION':
      return call(node, context);
    case 'WINDOW':
      return windowOf(node, context);
    case 'SUBQUERY':
      return subquery(node, context);
    default:
      return refusals.add(`${String(node.class).toLowerCase()} expressions have no counterpart in Athena.`, node);
  }
}

function columnRef(node: TreeNode, context: Context): Typed {
  onlyKnows(context, node, ['column_names']);
  const names = node.column_names as string[];
  const found =
    resolve(context.scope, names) ?? (names.length === 1 ? context.aliases?.get(folded(names[0]!)) : undefined);
  if (found?.barred) return context.refusals.add(found.barred, node);
  if (found) return found;
  const name = names.join('.');
  if (/^(current_(date|time|timestamp)|localtime(stamp)?)$/i.test(name)) {
    return context.refusals.add(`${name} is another moment in Athena than in the step.`, node);
  }
  return context.refusals.add(
    `The name ${name} is no column of a table here: Athena cannot be told what it means.`,
    node,
  );
}

function constant({ value }: TreeNode): Typed | undefined {
  const {
    type,
    is_null: isNull,
    value: content,
  } = value as {
    type: { id: string; type_info?: { width: number; scale: number } };
    is_null: boolean;
    value?: unknown;
  };
  if (isNull || type.id === 'NULL') return NULL;
  if (type.id === 'VARCHAR') return text(String(content ?? ''));
  if (type.id === 'BOOLEAN') return truth(content === true);
  if (typeof content !== 'number') return undefined;
  if (type.id === 'DOUBLE') return double(content);
  if (!Number.isSafeInteger(content)) return undefined;
  if (type.id === 'DECIMAL') return decimal(content, type.type_info!.width, type.type_info!.scale);
  return type.id === 'INTEGER' || type.id === 'BIGINT' ? whole(content) : undefined;
}

function cast(node: TreeNode, context: Context): Typed {
  onlyKnows(context, node, ['child', 'cast_type', 'try_cast']);
  const {
    child,
    cast_type: wanted,
    try_cast: lenient = false,
  } = node as unknown as {
    child: TreeNode;
    cast_type: { id: string; type_info?: { width: number; scale: number; alias?: string } };
    try_cast?: boolean;
  };
  const type =
    wanted.id === 'DECIMAL' ? `decimal(${wanted.type_info!.width},${wanted.type_info!.scale})` : CAST_TYPES[wanted.id];
  // Words such as JSON come as texts by another name.
  if (!type || (wanted.id !== 'DECIMAL' && wanted.type_info)) {
    return context.refusals.add(`The type ${wanted.id} has no counterpart in Athena.`, node);
  }
  const value = expression(child, context);
  if (
    value.type === 'string' &&
    value.text !== undefined &&
    (value.text === 't' || value.text === 'f') &&
    type === 'boolean'
  ) {
    return truth(value.text === 't');
  }
  const made = castTo(value, type, lenient);
  return made ?? context.refusals.add(`A cast from ${value.type} to ${type} has other results in Athena.`, node);
}

function comparison(node: TreeNode, context: Context): Typed {
  onlyKnows(context, node, ['left', 'right']);
  const [a, b] = [expression(node.left as TreeNode, context), expression(node.right as TreeNode, context)];
  const sign = SIGNS[String(node.type)];
  if (sign) {
    const made = compared(sign, a, b);
    return made ? { sql: made, type: 'boolean' } : mismatch(context, node, a, b);
  }
  const word = { COMPARE_DISTINCT_FROM: 'IS DISTINCT FROM', COMPARE_NOT_DISTINCT_FROM: 'IS NOT DISTINCT FROM' }[
    String(node.type)
  ];
  if (!word) return context.refusals.add(`${node.type} has no counterpart in Athena.`, node);
  const both = alike(a, b);
  if (!both) return mismatch(context, node, a, b);
  return { sql: `(${both[0].sql} ${word} ${both[1].sql})`, type: 'boolean' };
}

function mismatch({ refusals }: Context, node: TreeNode, a: Typed, b: Typed): Typed {
  return refusals.add(`${a.type} and ${b.type} meet here, and Athena takes neither for the other: write a CAST.`, node);
}

function truthOf(node: TreeNode, context: Context): string {
  const value = expression(node, context);
  if (fits(value.type, 'boolean')) return value.sql;
  context.refusals.add(`A value of type ${value.type} stands for a truth value here: Athena needs a comparison.`, node);
  return UNKNOWN.sql;
}

export const condition = truthOf;

function conjunction(node: TreeNode, context: Context): Typed {
  onlyKnows(context, node, ['children']);
  const word = node.type === 'CONJUNCTION_OR' ? ' OR ' : ' AND ';
  return {
    sql: `(${listOf(node.children)
      .map((each) => truthOf(each, context))
      .join(word)})`,
    type: 'boolean',
  };
}

function between(node: TreeNode, context: Context): Typed {
  onlyKnows(context, node, ['input', 'lower', 'upper']);
  const [value, lower, upper] = ['input', 'lower', 'upper'].map((name) => expression(node[name] as TreeNode, context));
  const [from, to] = [compared('>=', value!, lower!), compared('<=', value!, upper!)];
  if (!from || !to) return mismatch(context, node, value!, from ? upper! : lower!);
  return { sql: `(${from} AND ${to})`, type: 'boolean' };
}

/** Values as one type, or what they are told to be. */
export function unified(values: readonly Typed[], node: TreeNode, context: Context): { values: Typed[]; type: string } {
  const other = values.find(({ text: content, type }) => content === undefined && type !== 'null') ?? values[0]!;
  const read = values.map((value) => readAs(value, other) ?? value);
  let type = 'null';
  for (const value of read) {
    const common = commonType(type, value.type);
    if (common === undefined) {
      mismatch(context, node, { sql: '', type }, value);
      return { values: read, type: 'unknown' };
    }
    type = common;
  }
  return { values: read, type };
}

function caseOf(node: TreeNode, context: Context): Typed {
  onlyKnows(context, node, ['case_checks', 'else_expr']);
  const checks = node.case_checks as { when_expr: TreeNode; then_expr: TreeNode }[];
  const whens = checks.map((check) => truthOf(check.when_expr, context));
  const results = [...checks.map((check) => check.then_expr), node.else_expr as TreeNode];
  const { values, type } = unified(
    results.map((each) => expression(each, context)),
    node,
    context,
  );
  const branches = whens.map((when, index) => `WHEN ${when} THEN ${values[index]!.sql}`);
  return { sql: `CASE ${branches.join(' ')} ELSE ${values.at(-1)!.sql} END`, type };
}

function operator(node: TreeNode, context: Context): Typed {
  onlyKnows(context, node, ['children']);
  const children = listOf(node.children);
  const truthful = (sql: string): Typed => ({ sql, type: 'boolean' });
  switch (node.type) {
    case 'OPERATOR_NOT':
      return truthful(`(NOT ${truthOf(children[0]!, context)})`);
    case 'OPERATOR_IS_NULL':
      return truthful(`(${expression(children[0]!, context).sql} IS NULL)`);
    case 'OPERATOR_IS_NOT_NULL':
      return truthful(`(${expression(children[0]!, context).sql} IS NOT NULL)`);
    case 'OPERATOR_COALESCE': {
      const { values, type } = unified(
        children.map((each) => expression(each, context)),
        node,
        context,
      );
      return {
        sql: values.length === 1 ? values[0]!.sql : `coalesce(${values.map(({ sql }) => sql).join(', ')})`,
        type,
      };
    }
    case 'COMPARE_IN':
    case 'COMPARE_NOT_IN':
      return oneOf(node, children, context);
    default:
      return context.refusals.add(`${node.type} has no counterpart in Athena.`, node);
  }
}

function oneOf(node: TreeNode, children: readonly TreeNode[], context: Context): Typed {
  const [value, ...items] = children.map((each) => expression(each, context));
  const tests = items.map((item) => compared('=', value!, item) ?? mismatch(context, node, value!, item).sql);
  const any = `(${tests.join(' OR ')})`;
  return { sql: node.type === 'COMPARE_IN' ? any : `(NOT ${any})`, type: 'boolean' };
}

function subquery(node: TreeNode, context: Context): Typed {
  onlyKnows(context, node, ['subquery_type', 'subquery', 'child', 'comparison_type']);
  const { sql, columns } = context.query((node.subquery as { node: TreeNode }).node, context);
  const type = columns.length === 1 ? columns[0]!.type : 'unknown';
  if (node.subquery_type === 'EXISTS') return { sql: `EXISTS (${sql})`, type: 'boolean' };
  if (node.subquery_type === 'SCALAR') return { sql: `(${sql})`, type };
  if (node.subquery_type !== 'ANY' || node.comparison_type !== 'COMPARE_EQUAL') {
    return context.refusals.add(
      `A comparison with ${node.subquery_type} of a query has no counterpart in Athena.`,
      node,
    );
  }
  const value = expression(node.child as TreeNode, context);
  if (value.type === 'double' || type === 'double')
    return context.refusals.add('IN over doubles treats NaN otherwise in Athena.', node);
  return alike(value, { sql: '', type })
    ? { sql: `(${value.sql} IN (${sql}))`, type: 'boolean' }
    : mismatch(context, node, value, { sql: '', type });
}

function call(node: TreeNode, context: Context): Typed {
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
  const args = children.map((each) => expression(each, context));
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
  const value = inner ? expression(inner, context) : UNKNOWN;
  if (fits(value.type, 'integer')) return { sql: value.sql, type: 'interval', unit };
  return context.refusals.add('An interval of other than whole units has no counterpart in Athena.', node);
}

function aggregate(name: string, node: TreeNode, context: Context): Typed {
  onlyKnows(context, node, ['function_name', 'children', 'order_bys', 'distinct', 'filter']);
  const args = listOf(node.children).map((each) => expression(each, context));
  const filter = isNode(node.filter) ? truthOf(node.filter, context) : undefined;
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
  const key = expression(order.expression as TreeNode, context);
  return `${key.sql} ${direction(order)}`;
}

export function direction({ type, null_order: nulls }: TreeNode): string {
  const way = type === 'DESCENDING' ? 'DESC' : 'ASC';
  return `${way} NULLS ${String(nulls).replaceAll('_', ' ') === 'NULLS FIRST' ? 'FIRST' : 'LAST'}`;
}
