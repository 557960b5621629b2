import { FUNCTION_NAMES, type FunctionEntry, functionOf } from '../catalogue/index.ts';
import { suggestion } from '../language/diagnostics.ts';
import type { Node } from '../language/tree.ts';
import type { Typed, TypedCall } from '../language/typed.ts';
import { type Arguments, checkArguments, literalOf, signature } from './arguments.ts';
import { type CheckContext, levelOf, unknown } from './context.ts';
import { type Check, condition } from './operators.ts';

type CallNode = Extract<Node, { kind: 'call' }>;

/** Names of other languages and what they are here. */
const OTHER_NAMES: Record<string, string> = {
  AVERAGE: 'AVG',
  DISTINCTCOUNT: 'COUNT_DISTINCT',
  COUNTD: 'COUNT_DISTINCT',
  COUNTIF: 'COUNT_IF',
  SUMIF: 'SUM_IF',
  AVERAGEIF: 'AVG_IF',
  IFNULL: 'COALESCE',
  ISNULL: 'COALESCE',
  NVL: 'COALESCE',
  STRING_AGG: 'LIST_DISTINCT',
  GROUP_CONCAT: 'LIST_DISTINCT',
  LISTAGG: 'LIST_DISTINCT',
  LEN: 'LENGTH',
  MID: 'SUBSTRING',
  SUBSTR: 'SUBSTRING',
  LEFT: 'SUBSTRING',
  DATEADD: 'DATE_ADD',
  DATEDIFF: 'DATE_DIFF',
  DATETRUNC: 'DATE_TRUNC',
  WEEKDAY: 'DAY_OF_WEEK',
  DAYOFWEEK: 'DAY_OF_WEEK',
  DAYOFYEAR: 'DAY_OF_YEAR',
  DAYNAME: 'DAY_NAME',
  MONTHNAME: 'MONTH_NAME',
  ISOYEAR: 'ISO_YEAR',
  CEILING: 'CEIL',
  INT: 'FLOOR',
  VALUE: 'TO_NUMBER',
  TEXT: 'TO_TEXT',
  PREVIOUS: 'PRIOR',
  LAG: 'PRIOR',
  DENSE_RANK: 'RANK',
  PERCENT_OF_PARENT: 'SHARE_OF_PARENT',
  RUNNING_SUM: 'CUMULATIVE',
  MOVING_AVERAGE: 'TRAILING',
  ROLLING_SUM: 'TRAILING',
  IIF: 'IF',
};

export function checkCall(context: CheckContext, node: CallNode, check: Check): Typed {
  const name = node.name.toUpperCase();
  if (name === 'IF') return checkIf(context, node, check);
  const entry = functionOf(name);
  if (!entry) {
    const known = OTHER_NAMES[name] ?? undefined;
    const hint = known ? `Did you mean ${known}?` : suggestion(name, FUNCTION_NAMES);
    context.diagnostics.error(1002, node.nameSpan, `There is no function ${node.name}.`, hint);
    for (const part of node.args) check(part, context);
    return unknown(node);
  }
  if (!isPlaced(context, node, entry)) return unknown(node);
  const args = node.args.map((part, index) => check(part, argumentContext(context, entry, index)));
  const filter = filterOf(context, node, entry, check);
  if (!hasRightCount(context, node, entry)) return unknown(node);
  const checked = checkArguments(context, entry, args);
  if (!checked) return unknown(node);
  return typedCall(context, node, entry, checked, filter);
}

/** The first argument of a window function or of an aggregate of aggregates is a measure. */
function argumentContext(context: CheckContext, entry: FunctionEntry, index: number): CheckContext {
  if (entry.kind === 'scalar') return context;
  const isInWindow = entry.nested ? index === 0 : entry.kind === 'window';
  return { ...context, inside: entry.name, isInWindow };
}

function typedCall(
  context: CheckContext,
  node: CallNode,
  entry: FunctionEntry,
  { args, types }: Arguments,
  filter: Typed | undefined,
): Typed {
  const type = entry.returns(types, args.map(literalOf));
  const isAggregate = entry.kind !== 'scalar';
  if ((entry.kind === 'window' || entry.nested) && args[0]!.level === 'row') {
    const hint = `Aggregate the field first, as in ${entry.name}(SUM(…)).`;
    context.diagnostics.error(
      3002,
      args[0]!,
      `${entry.name} needs a measure, but this is a field of single rows.`,
      hint,
    );
  }
  const level = isAggregate ? 'aggregate' : levelOf(context, args);
  const { from, to } = node;
  const call: TypedCall = { kind: 'call', name: entry.name, args, isStar: node.isStar, type, level, from, to };
  if (filter) call.filter = filter;
  return entry.filtered ? asFiltered(call, entry.filtered) : call;
}

/** `SUM_IF(value, condition)` is `SUM(value) FILTER (WHERE condition)`; a filter of its own is added to it. */
function asFiltered(call: TypedCall, name: string): TypedCall {
  const condition = call.args.at(-1)!;
  const args = call.args.slice(0, -1);
  const filter: Typed = call.filter
    ? { ...condition, kind: 'logic', operator: 'and', operands: [condition, call.filter], type: 'boolean' }
    : condition;
  return { ...call, name, args, isStar: args.length === 0, filter };
}

/** Whether the function may stand here. */
function isPlaced(context: CheckContext, node: CallNode, entry: FunctionEntry): boolean {
  const { diagnostics, purpose, inside } = context;
  if (entry.kind === 'scalar') return true;
  if (purpose !== 'measure') {
    const message = `${entry.name} aggregates rows, but this expression is computed for each row.`;
    diagnostics.error(3004, node.nameSpan, message, 'Use fields and scalar functions only, or make it a measure.');
    return false;
  }
  const isNestedTwice = entry.nested !== undefined && inside !== undefined && functionOf(inside)?.nested !== undefined;
  if (!inside || (context.isInWindow && entry.kind === 'aggregate' && !isNestedTwice)) return true;
  const message = `${entry.name} is an aggregate inside ${inside}.`;
  diagnostics.error(3003, node.nameSpan, message, `Leave out ${entry.name} or ${inside}.`);
  return false;
}

function filterOf(context: CheckContext, node: CallNode, entry: FunctionEntry, check: Check): Typed | undefined {
  if (!node.filter) return undefined;
  if (entry.kind !== 'aggregate' || entry.nested) {
    const message = `${entry.name} is not an aggregate of rows, so it takes no FILTER.`;
    context.diagnostics.error(3002, node.filter, message, 'Use IF(condition, value), or filter the aggregate inside.');
    return undefined;
  }
  return condition(context, check(node.filter, { ...context, inside: 'FILTER', isInWindow: false }), 'FILTER');
}

function hasRightCount({ diagnostics, names }: CheckContext, node: CallNode, entry: FunctionEntry): boolean {
  const { parameters, name } = entry;
  if (node.isStar) {
    if (name === 'COUNT' && names.scope.tables.length <= 1) return true;
    const isCount = name === 'COUNT';
    const message = isCount ? 'COUNT(*) does not say which table it counts.' : `${name} takes no star.`;
    diagnostics.error(1003, node, message, isCount ? 'Write COUNT([table.key]).' : `Write ${signature(entry)}.`);
    return false;
  }
  const min = parameters.filter(({ isOptional }) => !isOptional).length;
  const max = parameters.at(-1)?.isRepeated ? Number.POSITIVE_INFINITY : parameters.length;
  const count = node.args.length;
  if (count >= min && count <= max) return true;
  if (node.args.some(({ kind }) => kind === 'error')) return false;
  const wanted = min === max ? String(min) : max === Number.POSITIVE_INFINITY ? `at least ${min}` : `${min} to ${max}`;
  const message = `${name} takes ${wanted} argument${wanted === '1' ? '' : 's'}, but there ${count === 1 ? 'is 1' : `are ${count}`}.`;
  diagnostics.error(1003, node, message, `Write ${signature(entry)}.`);
  return false;
}

/** `IF(condition, result[, other])` is a CASE with one branch. */
function checkIf(context: CheckContext, node: CallNode, check: Check): Typed {
  const { args, from, to } = node;
  const [when, result, otherwise] = args;
  if (!when || !result || args.length > 3 || node.isStar) {
    const message = `IF takes 2 to 3 arguments, but there ${args.length === 1 ? 'is 1' : `are ${args.length}`}.`;
    context.diagnostics.error(1003, node, message, 'Write IF(condition, result[, other]).');
    for (const part of args) check(part, context);
    return unknown(node);
  }
  return check({ kind: 'case', branches: [{ when, result }], ...(otherwise ? { otherwise } : {}), from, to }, context);
}
