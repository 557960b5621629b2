import {
  BIGINT,
  BOOLEAN,
  DOUBLE,
  DuckDBTimestampTZValue,
  type DuckDBType,
  type DuckDBValue,
  LIST,
  listValue,
  SQLNULL,
  TIMESTAMPTZ,
  VARCHAR,
} from '@duckdb/node-api';
import { EngineError } from './engine-error.ts';

/** A value bound to `$1`, `$2`, …: dates are instants, lists hold values of one kind. */
export type EngineParameter = null | boolean | number | bigint | string | Date | readonly EngineParameter[];

/** The values and types to bind. Integers are bound as 64-bit integers, other numbers as doubles. Throws SQL_ERROR for a mixed list. */
export function bindings(parameters: readonly EngineParameter[]): { values: DuckDBValue[]; types: DuckDBType[] } {
  const bound = parameters.map(binding);
  return { values: bound.map(([value]) => value), types: bound.map(([, type]) => type) };
}

function binding(parameter: EngineParameter): [DuckDBValue, DuckDBType] {
  if (parameter === null) return [null, SQLNULL];
  if (typeof parameter === 'boolean') return [parameter, BOOLEAN];
  if (typeof parameter === 'string') return [parameter, VARCHAR];
  if (typeof parameter === 'bigint') return [parameter, BIGINT];
  if (typeof parameter === 'number') {
    return Number.isSafeInteger(parameter) ? [BigInt(parameter), BIGINT] : [parameter, DOUBLE];
  }
  if (parameter instanceof Date) return [new DuckDBTimestampTZValue(BigInt(parameter.getTime()) * 1000n), TIMESTAMPTZ];
  return listBinding(parameter);
}

function listBinding(items: readonly EngineParameter[]): [DuckDBValue, DuckDBType] {
  const bound = items.map(binding);
  const typed = bound.filter(([value]) => value !== null);
  const types = new Set(typed.map(([, type]) => type.toString()));
  if (types.size === 2 && types.has('BIGINT') && types.has('DOUBLE')) {
    return [listValue(bound.map(([value]) => (typeof value === 'bigint' ? Number(value) : value))), LIST(DOUBLE)];
  }
  if (types.size > 1) throw new EngineError('SQL_ERROR', 'The items of a list parameter must be of one kind.');
  return [listValue(bound.map(([value]) => value)), LIST(typed[0]?.[1] ?? SQLNULL)];
}
