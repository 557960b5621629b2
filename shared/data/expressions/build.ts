import { dateLiteral, datetimeLiteral, numberLiteral } from './language/literals.ts';
import type { CompareOperator, Literal } from './language/tree.ts';
import type { Level, Typed, TypedCall } from './language/typed.ts';
import type { DataType, ExpressionType } from './language/types.ts';

/**
 * Builders of trees that no text stands for, such as the conditions of a request. Operands have the types that the node
 * needs.
 */

/** No text stands for the tree. */
const NOWHERE = { from: 0, to: 0 } as const;

const levelOf = (operands: readonly Typed[]): Level =>
  operands.some(({ level }) => level === 'aggregate') ? 'aggregate' : 'row';

const condition = (...operands: readonly Typed[]) =>
  ({ type: 'boolean', level: levelOf(operands), ...NOWHERE }) as const;

const literal = (value: Literal, type: ExpressionType): Typed => ({
  kind: 'literal',
  literal: value,
  type,
  level: 'constant',
  ...NOWHERE,
});

export const textConstant = (text: string): Typed => literal({ type: 'string', text }, 'string');

export const integerConstant = (value: number): Typed => literal({ type: 'integer', text: String(value) }, 'integer');

/** A reference to a column of the statement that is no field of a model. */
export const column = (name: string, type: ExpressionType): Typed => ({
  kind: 'field',
  table: '',
  field: name,
  type,
  level: 'row',
  ...NOWHERE,
});

export const call = (name: string, args: readonly Typed[], type: ExpressionType): TypedCall => ({
  kind: 'call',
  name,
  args: [...args],
  isStar: args.length === 0,
  type,
  level: levelOf(args),
  ...NOWHERE,
});

export const convert = (operand: Typed, type: DataType): Typed => ({
  kind: 'convert',
  operand,
  type,
  level: operand.level,
  ...NOWHERE,
});

export const quotient = (dividend: Typed, divisor: Typed): Typed => ({
  kind: 'arithmetic',
  first: dividend,
  steps: [{ operator: '/', operand: divisor, type: 'number' }],
  type: 'number',
  level: levelOf([dividend, divisor]),
  ...NOWHERE,
});

export const logic = (operator: 'and' | 'or', operands: readonly Typed[]): Typed =>
  operands.length === 1
    ? operands[0]!
    : { kind: 'logic', operator, operands: [...operands], ...condition(...operands) };

export const not = (operand: Typed): Typed => ({ kind: 'not', operand, ...condition(operand) });

export const isNull = (operand: Typed, isNegated = false): Typed => ({
  kind: 'isNull',
  isNegated,
  operand,
  ...condition(operand),
});

export const compare = (operator: CompareOperator, left: Typed, right: Typed): Typed => ({
  kind: 'compare',
  operator,
  left,
  right,
  ...condition(left, right),
});

export const between = (operand: Typed, low: Typed, high: Typed): Typed => ({
  kind: 'between',
  isNegated: false,
  operand,
  low,
  high,
  ...condition(operand, low, high),
});

export const isIn = (operand: Typed, items: readonly Typed[], isNegated = false): Typed => ({
  kind: 'in',
  isNegated,
  operand,
  items: [...items],
  isList: false,
  ...condition(operand, ...items),
});

export const ifTrue = (when: Typed, result: Typed, otherwise?: Typed): Typed => ({
  kind: 'case',
  branches: [{ when, result }],
  ...(otherwise && { otherwise }),
  type: result.type,
  level: levelOf([when, result, ...(otherwise ? [otherwise] : [])]),
  ...NOWHERE,
});

/**
 * A value of a request or configuration: JSON, in which a number may be a text, because a double does not hold every
 * decimal.
 */
export type ConstantValue = string | number | boolean;

const CLOCK = /^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,6})?)?$/;

/** The constant of a type for a value; undefined if the type has no such value. */
export function constant(type: ExpressionType, value: ConstantValue): Typed | undefined {
  if (type === 'boolean') return typeof value === 'boolean' ? literal({ type, value }, type) : undefined;
  if (type === 'integer' || type === 'decimal' || type === 'number')
    return typeof value === 'boolean' ? undefined : ofLiteral(signedLiteral(String(value)));
  if (typeof value !== 'string') return undefined;
  switch (type) {
    case 'date':
      return ofLiteral(dateLiteral(value));
    case 'datetime':
      return ofLiteral(datetimeLiteral(value));
    case 'time':
      return CLOCK.test(value) ? convert(textConstant(value), 'time') : undefined;
    default:
      return textConstant(value);
  }
}

const ofLiteral = (found: Literal | undefined): Typed | undefined =>
  found && found.type !== 'null' ? literal(found, found.type) : undefined;

function signedLiteral(text: string): Literal | undefined {
  const [, sign = '', digits] = /^(-?)(\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)$/.exec(text) ?? [];
  const found = digits === undefined ? undefined : numberLiteral(digits);
  return found && 'text' in found ? { ...found, text: `${sign}${found.text}` } : undefined;
}
