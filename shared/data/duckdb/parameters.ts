import {
  BIGINT,
  BOOLEAN,
  DATE,
  DECIMAL,
  DOUBLE,
  DuckDBDateValue,
  DuckDBDecimalValue,
  DuckDBTimestampTZValue,
  DuckDBTimestampValue,
  type DuckDBType,
  type DuckDBValue,
  LIST,
  listValue,
  SQLNULL,
  TIMESTAMP,
  TIMESTAMPTZ,
  VARCHAR,
} from '@duckdb/node-api';
import { DataError } from '../../platform/errors/data-error.ts';

/**
 * A value bound to `$1`, `$2`, …: dates are instants, lists have values of one type, and a text may be given with its
 * type.
 */
export type EngineParameter =
  | null
  | boolean
  | number
  | bigint
  | string
  | Date
  | TypedParameter
  | readonly EngineParameter[];

/** A value as text (`2026-02-28`, `-12.50`, `2026-02-28T10:00:00Z`) that is bound with the given type. */
export interface TypedParameter {
  type: 'integer' | 'decimal' | 'date' | 'timestamp' | 'timestamptz';
  text: string;
}

/** Values of `$1`, `$2`, …, or of `$name`s by their names. */
export type EngineParameters = readonly EngineParameter[] | Readonly<Record<string, EngineParameter>>;

interface Bindings {
  values: DuckDBValue[] | Record<string, DuckDBValue>;
  types: DuckDBType[] | Record<string, DuckDBType>;
}

/**
 * The values and types to bind. Integers are bound as 64-bit integers, other numbers as doubles. Throws SQL_ERROR for a
 * list of mixed types.
 */
export function bindings(parameters: EngineParameters): Bindings {
  if (isList(parameters)) {
    const bound = parameters.map(binding);
    return { values: bound.map(([value]) => value), types: bound.map(([, type]) => type) };
  }
  const bound = Object.entries(parameters).map(([name, parameter]) => [name, ...binding(parameter)] as const);
  return {
    values: Object.fromEntries(bound.map(([name, value]) => [name, value])),
    types: Object.fromEntries(bound.map(([name, , type]) => [name, type])),
  };
}

const isList = (parameters: EngineParameters): parameters is readonly EngineParameter[] => Array.isArray(parameters);

function binding(parameter: EngineParameter): [DuckDBValue, DuckDBType] {
  if (parameter === null) return [null, SQLNULL];
  if (typeof parameter === 'boolean') return [parameter, BOOLEAN];
  if (typeof parameter === 'string') return [parameter, VARCHAR];
  if (typeof parameter === 'bigint') return [parameter, BIGINT];
  if (typeof parameter === 'number') {
    return Number.isSafeInteger(parameter) ? [BigInt(parameter), BIGINT] : [parameter, DOUBLE];
  }
  if (isTyped(parameter)) return typedBinding(parameter);
  if (parameter instanceof Date) return [new DuckDBTimestampTZValue(BigInt(parameter.getTime()) * 1000n), TIMESTAMPTZ];
  return listBinding(parameter);
}

const isTyped = (parameter: object): parameter is TypedParameter => 'type' in parameter && 'text' in parameter;

/** Throws SQL_ERROR for a text that is not a value of the type. */
function typedBinding({ type, text }: TypedParameter): [DuckDBValue, DuckDBType] {
  const wrong = () => new DataError('SQL_ERROR', `"${text}" is not a valid ${type}.`);
  if (type === 'integer') {
    if (!/^-?\d{1,19}$/.test(text) || BigInt.asIntN(64, BigInt(text)) !== BigInt(text)) throw wrong();
    return [BigInt(text), BIGINT];
  }
  if (type === 'decimal') {
    const [, sign = '', whole = '', part = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text) ?? [];
    const width = Math.max(whole.length + part.length, 1);
    if (whole === '' || width > 38) throw wrong();
    return [new DuckDBDecimalValue(BigInt(sign + whole + part), width, part.length), DECIMAL(width, part.length)];
  }
  const millis = Date.parse(type === 'timestamp' && !/[Zz]$/.test(text) ? `${text}Z` : text);
  if (Number.isNaN(millis)) throw wrong();
  if (type === 'date') return [new DuckDBDateValue(Math.floor(millis / 86_400_000)), DATE];
  const fraction = /\.\d{3}(\d{1,3})/.exec(text)?.[1] ?? '';
  const micros = BigInt(millis) * 1000n + BigInt(fraction.padEnd(3, '0'));
  return type === 'timestamp'
    ? [new DuckDBTimestampValue(micros), TIMESTAMP]
    : [new DuckDBTimestampTZValue(micros), TIMESTAMPTZ];
}

function listBinding(items: readonly EngineParameter[]): [DuckDBValue, DuckDBType] {
  const bound = items.map(binding);
  const typed = bound.filter(([value]) => value !== null);
  const types = new Set(typed.map(([, type]) => type.toString()));
  if (types.size === 2 && types.has('BIGINT') && types.has('DOUBLE')) {
    return [listValue(bound.map(([value]) => (typeof value === 'bigint' ? Number(value) : value))), LIST(DOUBLE)];
  }
  if (types.size > 1) throw new DataError('SQL_ERROR', 'The items of a list parameter must have the same type.');
  return [listValue(bound.map(([value]) => value)), LIST(typed[0]?.[1] ?? SQLNULL)];
}

export type QueryParameter = string | number | boolean | null | TypedParameter;

/** A value that a reference of a pipeline can have; lists are allowed. */
export type BoundParameter = QueryParameter | readonly BoundParameter[];

/** Values of `$1`, `$2`, …, or of `$name`s by their names. */
export type QueryParameters = BoundParameter[] | Record<string, QueryParameter>;
