import { castTo } from './casts.ts';
import { commonType, type Typed } from './typed.ts';

export type Comparison = '=' | '<>' | '<' | '<=' | '>' | '>=';

/** Converts both to one type: a text literal is read as the other's type. Undefined if there is no such type. */
export function alike(a: Typed, b: Typed): [Typed, Typed] | undefined {
  const [x, y] = [readAs(a, b), readAs(b, a)];
  return x && y && commonType(x.type, y.type) !== undefined ? [x, y] : undefined;
}

/** Reads a text literal as a value of the other's type. */
export function readAs(value: Typed, other: Typed): Typed | undefined {
  if (value.text === undefined || other.type === 'string' || other.type === 'null' || other.type === 'unknown') {
    return value;
  }
  return castTo(value, other.type, false);
}

/** A comparison with DuckDB's result: NaN equals itself and is greater than any other double. */
export function comparisonSql(sign: Comparison, a: Typed, b: Typed): string | undefined {
  const both = alike(a, b);
  if (!both) return undefined;
  const [x, y] = both;
  const plain = `(${x.sql} ${sign} ${y.sql})`;
  const mayBeNaN = (side: Typed) => side.type === 'double' && side.number === undefined;
  if (!mayBeNaN(x) && !mayBeNaN(y)) return plain;
  if (sign === '<>') return `(NOT ${comparisonSql('=', a, b)})`;
  if (sign === '<' || sign === '<=') return comparisonSql(sign === '<' ? '>' : '>=', b, a);
  if (!mayBeNaN(x)) return plain;
  const [left, right] = [`is_nan(${x.sql})`, mayBeNaN(y) ? `is_nan(${y.sql})` : undefined];
  if (sign === '=') return right ? `(${plain} OR (${left} AND ${right}))` : plain;
  // If the other side is NULL, the comparison with NaN is unknown, too.
  const known = sign === '>=' ? `${y.sql} IS NOT NULL` : `NOT ${right}`;
  if (y.number !== undefined) return `(${plain} OR ${left})`;
  return `(${plain} OR (${left} AND ${right ? known : `${y.sql} IS NOT NULL`}))`;
}
