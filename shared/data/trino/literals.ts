import type { EngineParameter } from '../duckdb/parameters.ts';
import { quoteLiteral } from '../duckdb/quoting.ts';
import { NULL, type Typed } from './typed.ts';

/** In string literals of Trino only quotes are escaped, by doubling. */
export const text = (content: string): Typed => ({ sql: quoteLiteral(content), type: 'string', text: content });

export const truth = (value: boolean): Typed => ({ sql: value ? 'TRUE' : 'FALSE', type: 'boolean' });

/** Parses a whole number of at most 15 digits; undefined for other texts. */
export function whole(value: number | bigint): Typed | undefined {
  if (typeof value === 'number' && !Number.isSafeInteger(value)) return undefined;
  return { sql: String(value), type: 'integer', number: Number(value) };
}

/** A double: in Trino `1.5` is a decimal and `1.5E0` a double. */
export function double(value: number): Typed {
  if (Number.isNaN(value)) return { sql: 'nan()', type: 'double' };
  if (!Number.isFinite(value)) return { sql: value > 0 ? 'infinity()' : '(-infinity())', type: 'double' };
  return { sql: value.toExponential().replace('e+', 'E').replace('e', 'E'), type: 'double', number: value };
}

/** An exact number from its digits without the decimal point. */
export function decimal(unscaled: number, precision: number, scale: number): Typed {
  const sign = unscaled < 0 ? '-' : '';
  const digits = String(Math.abs(unscaled)).padStart(scale + 1, '0');
  const point = digits.length - scale;
  const written = `${sign}${digits.slice(0, point)}${scale > 0 ? `.${digits.slice(point)}` : ''}`;
  const type = `decimal(${precision},${scale})`;
  return { sql: `CAST(DECIMAL '${written}' AS ${type})`, type, number: Number(written) };
}

/** Writes a bound value as a literal; undefined if it has no counterpart. */
export function ofParameter(value: EngineParameter): Typed | undefined {
  if (value === null) return NULL;
  if (typeof value === 'boolean') return truth(value);
  if (typeof value === 'string') return text(value);
  if (typeof value === 'bigint') return whole(value);
  if (typeof value === 'number') return whole(value) ?? double(value);
  return undefined;
}
