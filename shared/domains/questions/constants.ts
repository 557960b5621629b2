import {
  type DataType,
  dateLiteral,
  datetimeLiteral,
  type Literal,
  numberLiteral,
  type Typed,
} from '../../data/expressions/index.ts';

export type FilterValue = string | number | boolean;

/** The constant for a value of a request; undefined if the type has no such value. */
export function constant(type: DataType, value: FilterValue): Typed | undefined {
  const literal = literalOf(type, value);
  return literal && { kind: 'literal', literal, type: literal.type === 'null' ? type : literal.type, ...CONSTANT };
}

const CONSTANT = { level: 'constant', from: 0, to: 0 } as const;

function literalOf(type: DataType, value: FilterValue): Literal | undefined {
  switch (type) {
    case 'string':
      return { type: 'string', text: String(value) };
    case 'boolean':
      return typeof value === 'boolean' ? { type: 'boolean', value } : undefined;
    case 'date':
      return typeof value === 'string' ? dateLiteral(value) : undefined;
    case 'datetime':
      return typeof value === 'string' ? datetimeLiteral(value) : undefined;
    case 'integer':
    case 'decimal':
    case 'number':
      return typeof value === 'boolean' ? undefined : signedLiteral(String(value));
    default:
      return undefined;
  }
}

function signedLiteral(text: string): Literal | undefined {
  if (!/^-?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(text)) return undefined;
  const isNegative = text.startsWith('-');
  const literal = numberLiteral(isNegative ? text.slice(1) : text);
  return literal && isNegative && 'text' in literal ? { ...literal, text: `-${literal.text}` } : literal;
}
