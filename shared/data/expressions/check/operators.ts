import { isComparableWithAttribute } from '../language/attribute-values.ts';
import type { Span } from '../language/diagnostics.ts';
import type { CompareOperator, Node } from '../language/tree.ts';
import type { Typed } from '../language/typed.ts';
import { commonType, type ExpressionType, isCalendar, isNumeric } from '../language/types.ts';
import { type CheckContext, levelOf, unknown } from './context.ts';
import { asText, convert, converted, numberOf, typeName, unified } from './conversions.ts';

export type Check = (node: Node, context: CheckContext) => Typed;
type Of<K extends Node['kind']> = Extract<Node, { kind: K }>;

export function checkArithmetic(context: CheckContext, node: Of<'arithmetic'>, check: Check): Typed {
  const first = numeric(context, check(node.first, context), node.steps[0]!.operator);
  let { type } = first;
  const steps = node.steps.map(({ operator, operand: part }) => {
    const operand = numeric(context, check(part, context), operator);
    if (operator === '/') warnOfZero(context, operand);
    const result = commonType(type, operand.type) ?? 'unknown';
    type = operator === '/' && result !== 'unknown' ? 'number' : result;
    return { operator, operand, type };
  });
  const level = levelOf(context, [first, ...steps.map(({ operand }) => operand)]);
  return { kind: 'arithmetic', first, steps, type, level, from: node.from, to: node.to };
}

/** An operand of an arithmetic operator. A bare null is an integer. */
function numeric(context: CheckContext, node: Typed, operator: string): Typed {
  if (node.type === 'null') return convert(node, 'integer');
  if (node.type === 'unknown' || isNumeric(node.type)) return node;
  const hint = arithmeticHint(node.type, operator);
  context.diagnostics.error(
    3001,
    node,
    `The operator ${operator} needs numbers, but this is ${typeName(node.type)}.`,
    hint,
  );
  return { ...node, type: 'unknown' };
}

function arithmeticHint(type: ExpressionType, operator: string): string | undefined {
  if (isCalendar(type)) return 'Use DATE_ADD("day", days, date) or DATE_DIFF("day", from, to).';
  if (type === 'attribute') return 'Use TO_NUMBER(user.attr("name")).';
  if (type === 'string')
    return operator === '+' ? 'Use CONCAT(first, second), or TO_NUMBER(text).' : 'Use TO_NUMBER(text).';
  return type === 'boolean' ? 'Use IF(condition, 1, 0), or COUNT_IF(condition).' : undefined;
}

/** `x / NULLIF(y, 0)` and a literal other than zero need no warning. */
function warnOfZero({ diagnostics }: CheckContext, divisor: Typed): void {
  const isNullIf = divisor.kind === 'call' && divisor.name === 'NULLIF' && numberOf(divisor.args[1]!) === 0;
  const constant = numberOf(divisor);
  if (isNullIf || divisor.type === 'unknown' || (constant !== undefined && constant !== 0)) return;
  const message =
    constant === 0
      ? 'The divisor is zero, so the result is always null.'
      : 'The divisor may be zero, which gives null.';
  diagnostics.warning(9001, divisor, message, 'Write DIVIDE(a, b, alternative) to choose another result.');
}

export function checkNegate(context: CheckContext, node: Of<'negate'>, check: Check): Typed {
  const operand = numeric(context, check(node.operand, context), '-');
  const span = { from: node.from, to: node.to };
  if (operand.kind === 'literal' && 'text' in operand.literal && isNumeric(operand.type)) {
    const { text } = operand.literal;
    return {
      ...operand,
      ...span,
      literal: { ...operand.literal, text: text.startsWith('-') ? text.slice(1) : `-${text}` },
    };
  }
  return { kind: 'negate', operand, type: operand.type, level: operand.level, ...span };
}

export function checkLogic(context: CheckContext, node: Of<'logic'>, check: Check): Typed {
  const operands = node.operands.map((part) => condition(context, check(part, context), node.operator.toUpperCase()));
  return { ...node, operands, type: 'boolean', level: levelOf(context, operands) };
}

export function checkNot(context: CheckContext, node: Of<'not'>, check: Check): Typed {
  const operand = condition(context, check(node.operand, context), 'NOT');
  return { ...node, operand, type: 'boolean', level: operand.level };
}

/** Reports 3001 unless a value is true or false. */
export function condition(context: CheckContext, node: Typed, what: string): Typed {
  if (node.type === 'boolean' || node.type === 'unknown') return node;
  if (node.type === 'null') return convert(node, 'boolean');
  const message = `${what} needs a condition, but this is ${typeName(node.type)}.`;
  context.diagnostics.error(3001, node, message, 'Compare it with a value, for example with = or IS NOT NULL.');
  return { ...node, type: 'unknown' };
}

export function checkIsNull(context: CheckContext, node: Of<'isNull'>, check: Check): Typed {
  const operand = check(node.operand, context);
  return { ...node, operand, type: 'boolean', level: operand.level };
}

export function checkCompare(context: CheckContext, node: Of<'compare'>, check: Check): Typed {
  return compared(context, node, node.operator, [check(node.left, context), check(node.right, context)]);
}

function compared(
  context: CheckContext,
  { from, to }: Span,
  operator: CompareOperator,
  sides: readonly Typed[],
): Typed {
  const [left, right] = comparable(context, sides) as [Typed, Typed];
  const unordered = [left, right].find(({ type }) => type === 'boolean' || type === 'geo');
  if (unordered && operator !== '=' && operator !== '<>') {
    const message = `The operator ${operator} cannot order ${typeName(unordered.type)}.`;
    context.diagnostics.error(3001, unordered, message, 'Use = or <>.');
  }
  const level = levelOf(context, [left, right]);
  return { kind: 'compare', operator, left, right, type: 'boolean', level, from, to };
}

export function checkBetween(context: CheckContext, node: Of<'between'>, check: Check): Typed {
  const parts = comparable(
    context,
    [node.operand, node.low, node.high].map((part) => check(part, context)),
  );
  const [operand, low, high] = parts as [Typed, Typed, Typed];
  if (operand.type === 'boolean')
    context.diagnostics.error(3001, operand, 'BETWEEN cannot order a condition (true or false).', 'Use =.');
  return { ...node, operand, low, high, type: 'boolean', level: levelOf(context, parts) };
}

export function checkIn(context: CheckContext, node: Of<'in'>, check: Check): Typed {
  const checked = [node.operand, ...node.items].map((part) => check(part, context));
  const [operand, ...items] = node.isList ? withList(context, checked) : comparable(context, checked);
  return { ...node, operand: operand!, items, type: 'boolean', level: levelOf(context, [operand!, ...items]) };
}

/** A value beside a list of the user. */
function withList(context: CheckContext, [operand, list]: readonly Typed[]): Typed[] {
  if (!operand || !list) throw new TypeError('a list has an operand');
  const isList = list.type === 'attribute' || list.type === 'texts';
  // Anything but a value of the user is an issue of the grammar.
  if (list.kind === 'user' && !isList) {
    context.diagnostics.error(3001, list, `IN needs a list, but this is ${typeName(list.type)}.`, 'Use =.');
  }
  const isAccepted = list.type === 'attribute' ? isComparableWithAttribute(operand.type) : operand.type === 'string';
  if (isList && !isAccepted && operand.type !== 'unknown') {
    const message = `${capitalized(typeName(list.type))} of the user cannot be compared with ${typeName(operand.type)}.`;
    context.diagnostics.error(3001, operand, message, 'Use a text or TO_TEXT(value).');
  }
  return [operand, list];
}

/** Brings values that are compared to one type; reports 3001 at the first one that does not fit. */
function comparable(context: CheckContext, nodes: readonly Typed[]): Typed[] {
  const others = nodes.filter(({ type }) => type !== 'attribute');
  if (others.length < nodes.length) {
    const common = unified(context, others);
    const type = common?.type === 'null' || common?.type === 'unknown' ? 'string' : common?.type;
    if (common && type && isComparableWithAttribute(type)) {
      const rest = common.nodes.map((node) => converted(node, type));
      return nodes.map((node) => (node.type === 'attribute' ? convert(node, type) : rest[others.indexOf(node)]!));
    }
  }
  const same = unified(context, nodes);
  const list = nodes.find(({ type }) => type === 'texts');
  if (same && !list) return same.type === 'null' ? nodes.map((node) => convert(node, 'string')) : same.nodes;
  if (list) {
    context.diagnostics.error(
      3001,
      list,
      'A list cannot be compared with a single value.',
      'Write value IN user.groups.',
    );
    return nodes.map((node) => ({ ...node, type: 'unknown' as const }));
  }
  const [first] = nodes;
  const other = nodes.find((node) => node !== first && !commonType(first!.type, node.type)) ?? nodes[1]!;
  const message = `${capitalized(typeName(first!.type))} cannot be compared with ${typeName(other.type)}.`;
  context.diagnostics.error(3001, other, message, conversionHint(first!.type, other.type));
  return nodes.map((node) => ({ ...node, type: 'unknown' as const }));
}

export function conversionHint(wanted: ExpressionType, found: ExpressionType): string | undefined {
  if (isNumeric(wanted) && found === 'attribute') return 'Use TO_NUMBER(user.attr("name")).';
  if (isNumeric(wanted) && found === 'string') return 'Remove the quotes of a number, or use TO_NUMBER(text).';
  if (wanted === 'string') return 'Use TO_TEXT(value), or put a constant in quotes.';
  if (isCalendar(wanted) && (found === 'string' || found === 'attribute')) return 'Use TO_DATE(text).';
  if (wanted === 'date' && found === 'datetime') return 'Use TO_DATE(datetime).';
  return wanted === 'boolean' ? 'Compare it with a value, for example with = or IS NOT NULL.' : undefined;
}

const capitalized = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

export function checkCase(context: CheckContext, node: Of<'case'>, check: Check): Typed {
  const subject = node.subject && check(node.subject, context);
  const conditions = node.branches.map(({ when }) => {
    const checked = check(when, context);
    return subject ? compared(context, when, '=', [subject, checked]) : condition(context, checked, 'WHEN');
  });
  const results = node.branches.map(({ result }) => asText(check(result, context)));
  const all = node.otherwise ? [...results, asText(check(node.otherwise, context))] : results;
  const same = unified(context, all);
  const level = levelOf(context, [...conditions, ...all]);
  if (!same) {
    reportDifference(context, all);
    return unknown(node);
  }
  const { from, to } = node;
  const branches = conditions.map((when, index) => ({ when, result: same.nodes[index]! }));
  const otherwise = node.otherwise && same.nodes.at(-1)!;
  return { kind: 'case', branches, ...(otherwise ? { otherwise } : {}), type: same.type, level, from, to };
}

function reportDifference({ diagnostics }: CheckContext, results: readonly Typed[]): void {
  const first = results.find(({ type }) => type !== 'null')!;
  const other = results.find(({ type }) => !commonType(first.type, type)) ?? first;
  const message = `The results differ in type: ${typeName(first.type)} and ${typeName(other.type)}.`;
  diagnostics.error(3001, other, message, conversionHint(first.type, other.type));
}
