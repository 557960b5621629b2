import type { DataType, Dialect, SqlColumn } from '../expressions/index.ts';
import type { ChainColumn } from './steps.ts';

/** A column of a source table: the platform's type, and that of the database as far as its catalogue is known. */
export interface SourceColumn {
  name: string;
  type: string;
  sourceType?: string | undefined;
}

const TYPES: readonly [RegExp, DataType][] = [
  [/^(tiny|small|big|huge|u\w*)?int(eger)?$/i, 'integer'],
  [/^decimal\b/i, 'decimal'],
  [/^(double|float|real|number)$/i, 'number'],
  [/^bool(ean)?$/i, 'boolean'],
  [/^date$/i, 'date'],
  [/^timestamp/i, 'datetime'],
  [/^time\b/i, 'time'],
];

/** The platform's types in the words of models; lists, structs and JSON are texts. */
export const dataTypeOf = (type: string): DataType => TYPES.find(([pattern]) => pattern.test(type))?.[1] ?? 'string';

/** Types of Postgres that work like the data type for which the platform takes them. */
const PLAIN_POSTGRES = /^(text|character varying(\(\d+\))?|smallint|integer|bigint|double precision)$/;

/**
 * How a database stores a column, where the data type does not say so. A column whose type in Postgres is not known is
 * cast, because UUIDs and enumerations, among others, are texts to the platform.
 */
export function storedOf({ type, sourceType }: SourceColumn, dialect: Dialect): SqlColumn['stored'] {
  if (type === 'timestamp') return 'timestamp';
  const dataType = dataTypeOf(type);
  if (dialect === 'duckdb') return dataType === 'string' && type !== 'string' ? 'other' : undefined;
  if (dataType !== 'string' && dataType !== 'integer' && dataType !== 'number') return undefined;
  if (sourceType === undefined) return dataType === 'string' ? 'other' : undefined;
  return PLAIN_POSTGRES.test(sourceType) ? undefined : 'other';
}

/** A column of the source at the beginning of a chain; with a dialect, it says how the database stores it. */
export function chainColumn(column: SourceColumn, dialect?: Dialect): ChainColumn & { type: DataType } {
  const stored = dialect && storedOf(column, dialect);
  return { name: column.name, type: dataTypeOf(column.type), ...(stored ? { stored } : {}) };
}
