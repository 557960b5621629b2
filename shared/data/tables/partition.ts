import type { Static } from 'typebox';
import * as Type from 'typebox';
import { DataError } from '../../platform/errors/data-error.ts';
import { StrictObject, StringEnum } from '../../platform/http/schemas.ts';
import { engineTypeOf } from '../duckdb/column-types.ts';
import { quoteIdentifier } from '../duckdb/quoting.ts';
import type { DatasetColumn } from './data-file.ts';
export const PARTITION_UNITS = ['year', 'month', 'day', 'hour'] as const;

export const PartitionBy = StrictObject(
  {
    column: Type.String({ minLength: 1, maxLength: 255 }),
    by: Type.Optional(
      StringEnum(PARTITION_UNITS, {
        description: 'The part of a date or timestamp. Omit it to make each value a partition.',
      }),
    ),
  },
  {
    $id: 'DatasetPartitionBy',
    description: 'How the files of a dataset are split, so that a query for few values reads few files.',
  },
);
export type PartitionBy = Static<typeof PartitionBy>;

/** With more partitions the files would be too small to be worth reading one by one. */
export const MAX_PARTITIONS = 500;

const VALUE_TYPES = new Set(['string', 'integer', 'boolean', 'date']);
const TIME_TYPES = new Set(['date', 'timestamp', 'timestamptz']);

/**
 * SQL for the partition of a row as text; null for rows without a value. Throws SCHEMA_MISMATCH for a column that
 * cannot be used to partition rows.
 */
export function partitionExpression(columns: readonly DatasetColumn[], { column, by }: PartitionBy): string {
  const type = typeOf(columns, column);
  const allowed = by ? TIME_TYPES : VALUE_TYPES;
  if (!allowed.has(type)) {
    throw new DataError(
      'SCHEMA_MISMATCH',
      `The column ${column} of type ${type} cannot be used to partition rows by ${by ?? 'value'}.`,
    );
  }
  const name = quoteIdentifier(column);
  return by ? `CAST(date_trunc('${by}', ${name}) AS VARCHAR)` : `CAST(${name} AS VARCHAR)`;
}

/**
 * The condition for rows between the least ($1) and the greatest ($2) value of a partition, so that the engine can skip
 * others. Adding a unit to a value would fail, because infinity has no next month.
 */
export function partitionRange(columns: readonly DatasetColumn[], { column }: PartitionBy): string {
  const name = quoteIdentifier(column);
  const type = engineTypeOf(typeOf(columns, column));
  return `${name} >= CAST($1 AS ${type}) AND ${name} <= CAST($2 AS ${type})`;
}

function typeOf(columns: readonly DatasetColumn[], name: string): string {
  const found = columns.find((column) => column.name === name);
  if (!found) throw new DataError('SCHEMA_MISMATCH', `There is no column ${name} to partition by.`);
  return found.type;
}
