import {
  type DataType,
  dateLiteral,
  datetimeLiteral,
  type ExpressionType,
  numberLiteral,
  type Typed,
  type TypedCall,
} from '../expressions/index.ts';
import type { ChainColumn } from './steps.ts';

type Literal = Extract<Typed, { kind: 'literal' }>['literal'];

const AT = { from: 0, to: 0 };

/** A column of a step as an operand; columns of unknown types are read as texts. */
export const columnTree = ({ name, type }: ChainColumn): Typed => ({
  kind: 'field',
  table: '',
  field: name,
  type: type ?? 'string',
  level: 'row',
  ...AT,
});

const literal = (value: Literal): Typed => ({
  kind: 'literal',
  literal: value,
  type: value.type,
  level: 'constant',
  ...AT,
});

export const call = (name: string, args: readonly Typed[], type: DataType): TypedCall => ({
  kind: 'call',
  name,
  args: [...args],
  isStar: args.length === 0,
  type,
  level: 'row',
  ...AT,
});

export const convert = (operand: Typed, type: DataType): Typed => ({
  kind: 'convert',
  operand,
  type,
  level: operand.level,
  ...AT,
});

export const logic = (operator: 'and' | 'or', operands: readonly Typed[]): Typed =>
  operands.length === 1
    ? operands[0]!
    : { kind: 'logic', operator, operands: [...operands], type: 'boolean', level: 'row', ...AT };

export const isNull = (operand: Typed, isNegated = false): Typed => ({
  kind: 'isNull',
  isNegated,
  operand,
  type: 'boolean',
  level: 'row',
  ...AT,
});

export const compare = (operator: '=' | '<>' | '<' | '<=' | '>' | '>=', left: Typed, right: Typed): Typed => ({
  kind: 'compare',
  operator,
  left,
  right,
  type: 'boolean',
  level: 'row',
  ...AT,
});

export const between = (operand: Typed, low: Typed, high: Typed): Typed => ({
  kind: 'between',
  isNegated: false,
  operand,
  low,
  high,
  type: 'boolean',
  level: 'row',
  ...AT,
});

export const isIn = (operand: Typed, items: readonly Typed[], isNegated: boolean): Typed => ({
  kind: 'in',
  isNegated,
  operand,
  items: [...items],
  isList: false,
  type: 'boolean',
  level: 'row',
  ...AT,
});

const CLOCK = /^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,6})?)?$/;

/** A value of a configuration as a constant beside a column of the type; undefined if it is none of its values. */
export function constant(type: ExpressionType, value: string | number | boolean): Typed | undefined {
  switch (type) {
    case 'boolean':
      return typeof value === 'boolean' ? literal({ type: 'boolean', value }) : undefined;
    case 'integer':
    case 'decimal':
    case 'number':
      return typeof value === 'boolean' ? undefined : numberTree(value);
    case 'date':
      return typeof value === 'string' ? calendarTree(dateLiteral(value) ?? datetimeLiteral(value)) : undefined;
    case 'datetime':
      return typeof value === 'string' ? calendarTree(datetimeLiteral(value)) : undefined;
    case 'time':
      return typeof value === 'string' && CLOCK.test(value) ? convert(text(value), 'time') : undefined;
    default:
      return typeof value === 'string' ? text(value) : undefined;
  }
}

const text = (value: string): Typed => literal({ type: 'string', text: value });

const calendarTree = (found: Literal | undefined): Typed | undefined => found && literal(found);

/** Numbers may be texts, because a double does not hold every decimal. */
function numberTree(value: string | number): Typed | undefined {
  const [, sign = '', digits] = /^(-?)(\d+(?:\.\d+)?(?:e[+-]?\d+)?)$/.exec(String(value)) ?? [];
  if (digits === undefined || (typeof value === 'string' && digits.includes('e'))) return undefined;
  const found = numberLiteral(digits);
  return found && 'text' in found ? literal({ ...found, text: `${sign}${found.text}` }) : undefined;
}
