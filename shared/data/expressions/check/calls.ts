import {
  dateFormat,
  FUNCTION_NAMES,
  type FunctionEntry,
  functionOf,
  isClockUnit,
  literalText,
  type Parameter,
} from '../catalogue/index.ts';
import { suggestion } from '../language/diagnostics.ts';
import type { Literal, Node } from '../language/tree.ts';
import type { Typed, TypedCall } from '../language/typed.ts';
import { type DataType, type ExpressionType, isAccepted, isNumeric } from '../language/types.ts';
import { type CheckContext, levelOf, unknown } from './context.ts';
import { convert, converted, typeName, unified } from './conversions.ts';
import { type Check, condition, conversionHint } from './operators.ts';

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
  LEN: 'LENGTH',
  MID: 'SUBSTRING',
  SUBSTR: 'SUBSTRING',
  LEFT: 'SUBSTRING',
  DATEADD: 'DATE_ADD',
  DATEDIFF: 'DATE_DIFF',
  DATETRUNC: 'DATE_TRUNC',
  CEILING: 'CEIL',
  INT: 'FLOOR',
  VALUE: 'TO_NUMBER',
  TEXT: 'TO_TEXT',
  PREVIOUS: 'PRIOR',
  LAG: 'PRIOR',
  RUNNING_SUM: 'CUMULATIVE',
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
  const isInWindow = entry.kind === 'window';
  const inner = entry.kind === 'scalar' ? context : { ...context, inside: entry.name, isInWindow };
  const args = node.args.map((part) => check(part, inner));
  const filter = filterOf(context, node, entry, check);
  if (!hasRightCount(context, node, entry)) return unknown(node);
  const checked = checkArguments(context, entry, args);
  if (!checked) return unknown(node);
  return typedCall(context, node, entry, checked, filter);
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
  if (entry.kind === 'window' && args[0]!.level === 'row') {
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
  if (!inside || (context.isInWindow && entry.kind === 'aggregate')) return true;
  const message = `${entry.name} is an aggregate inside ${inside}.`;
  diagnostics.error(3003, node.nameSpan, message, `Leave out ${entry.name} or ${inside}.`);
  return false;
}

function filterOf(context: CheckContext, node: CallNode, entry: FunctionEntry, check: Check): Typed | undefined {
  if (!node.filter) return undefined;
  if (entry.kind !== 'aggregate') {
    const message = `${entry.name} is no aggregate of rows and takes no FILTER.`;
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

/** A function with its parameters, such as `ROUND(value[, digits])`. */
export function signature({ name, parameters }: FunctionEntry): string {
  const shown = parameters.map((parameter, index) => {
    const text = `${index > 0 ? ', ' : ''}${parameter.name}${parameter.isRepeated ? ', …' : ''}`;
    return parameter.isOptional ? `[${text}]` : text;
  });
  return `${name}(${shown.join('')})`;
}

/** The arguments with their types, where common ones have the type of all of them. */
interface Arguments {
  args: Typed[];
  types: ExpressionType[];
}

function checkArguments(context: CheckContext, entry: FunctionEntry, given: readonly Typed[]): Arguments | undefined {
  const parameterOf = (index: number) => entry.parameters[index] ?? entry.parameters.at(-1)!;
  const isUnitFirst = entry.parameters[0]?.literal?.is === 'unit';
  if (isUnitFirst && !isValidArgument(context, entry, parameterOf(0), given[0]!)) return undefined;
  const areValid = given.map((arg, index) => isValidArgument(context, entry, parameterOf(index), arg));
  if (areValid.includes(false)) return undefined;
  const args = given.map((arg, index) => fitted(arg, parameterOf(index)));
  const types = args.map(({ type }) => type);
  const common = args.filter((_, index) => parameterOf(index).isCommon);
  const same = unified(context, common);
  if (!same) {
    const [first, second] = common.map(({ type }) => typeName(type));
    const message = `${entry.name} needs values of one type, but they are ${first} and ${second}.`;
    context.diagnostics.error(3001, common[1]!, message, conversionHint(common[0]!.type, common[1]!.type));
    return undefined;
  }
  for (const [index, arg] of args.entries()) {
    const node = common.includes(arg) && same.nodes[common.indexOf(arg)]!;
    if (!node) continue;
    args[index] = node.type === 'null' ? convert(node, 'string') : node;
    types[index] = same.type;
  }
  return hasTimes(context, entry, args) ? { args, types } : undefined;
}

/** Whether the dates have a time of day where the unit is a part of one. */
function hasTimes({ diagnostics }: CheckContext, entry: FunctionEntry, args: readonly Typed[]): boolean {
  const unit = literalText(literalOf(args[0]));
  const date = args.find(({ type }) => type === 'date');
  if (entry.parameters[0]?.literal?.is !== 'unit' || !isClockUnit(unit.toLowerCase()) || !date) return true;
  const message = `${entry.name} with "${unit}" needs a datetime, but this is a date.`;
  diagnostics.error(3001, date, message, 'Use "day" or a longer unit.');
  return false;
}

function fitted(arg: Typed, parameter: Parameter): Typed {
  if (arg.type === 'null' && !parameter.isCommon) return convert(arg, parameter.accepts[0]!);
  if (parameter.asNumber && arg.type !== 'number' && isNumeric(arg.type)) return convert(arg, 'number');
  return converted(arg, arg.type);
}

function isValidArgument(context: CheckContext, entry: FunctionEntry, parameter: Parameter, arg: Typed): boolean {
  if (arg.type === 'unknown') return false;
  const { accepts, name, literal } = parameter;
  if (!isAccepted(arg.type, accepts)) {
    const message = `${entry.name} needs ${alternatives(accepts)} as ${name}, but this is ${typeName(arg.type)}.`;
    const hint = (accepts as readonly ExpressionType[]).includes('boolean')
      ? conversionHint('boolean', arg.type)
      : argumentHint(entry, accepts[0]!, arg.type);
    context.diagnostics.error(3001, arg, message, hint);
    return false;
  }
  const wanted = literal && literalIssue(parameter, literalOf(arg));
  if (!wanted) return true;
  context.diagnostics.error(1004, arg, `${entry.name} needs ${wanted} as ${name}.`, `Write ${signature(entry)}.`);
  return false;
}

function argumentHint(entry: FunctionEntry, wanted: DataType, found: ExpressionType): string | undefined {
  if (entry.parameters[0]?.literal?.is === 'unit' && wanted === 'string')
    return `Write the unit first, as in ${entry.name}("day", …).`;
  if (entry.kind === 'aggregate' && found === 'boolean') return 'Use COUNT_IF(condition).';
  if (entry.name === 'MOD') return 'Use ROUND or a decimal field: remainders of floats are not exact.';
  return conversionHint(wanted, found);
}

function alternatives(types: readonly DataType[]): string {
  const names = types.includes('number') ? types.filter((type) => type !== 'integer' && type !== 'decimal') : types;
  return names.map(typeName).join(' or ');
}

/** What an argument should be that must be a literal; undefined if it is right. */
function literalIssue({ literal }: Parameter, given: Literal | undefined): string | undefined {
  const text = literalText(given);
  switch (literal?.is) {
    case 'unit':
      return literal.units.includes(text.toLowerCase())
        ? undefined
        : `one of ${literal.units.map((unit) => `"${unit}"`).join(', ')}`;
    case 'integer': {
      const isInside = given?.type === 'integer' && Number(text) >= literal.min && Number(text) <= literal.max;
      return isInside ? undefined : `a constant from ${literal.min} to ${literal.max}`;
    }
    case 'share':
      return text !== '' && Number(text) >= 0 && Number(text) <= 1 ? undefined : 'a constant from 0 to 1';
    case 'dateFormat':
      return dateFormat(text) ? undefined : 'a format such as "DD.MM.YYYY"';
    default:
      return undefined;
  }
}

const literalOf = (node: Typed | undefined): Literal | undefined =>
  node?.kind === 'literal' ? node.literal : undefined;

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
