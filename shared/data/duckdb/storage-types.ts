import {
  type DuckDBArrayType,
  type DuckDBListType,
  type DuckDBMapType,
  type DuckDBStructType,
  type DuckDBType,
  DuckDBTypeId,
} from '@duckdb/node-api';
import type { Column } from './column-types.ts';
import { columnTypeOf } from './described-type.ts';
import { quoteIdentifier } from './quoting.ts';

/**
 * The type to which a value must be cast before it is stored as Parquet, or the type's own name if it is stored
 * unchanged. Each column type is stored in one way, apart from the sizes of numbers; otherwise files with the same
 * column could not be read together. Instants have microseconds. Types without a name of their own are stored as text,
 * as are intervals, which would lose their microseconds. Integers have at most 64 bits with a sign: unsigned ones
 * become decimals. DuckDB would write 128-bit integers as doubles: they become decimals, and one with more than 38
 * digits fails the write.
 */
export function storedType(type: DuckDBType): string {
  switch (type.typeId) {
    case DuckDBTypeId.UBIGINT:
      return 'DECIMAL(20,0)';
    case DuckDBTypeId.HUGEINT:
    case DuckDBTypeId.UHUGEINT:
      return 'DECIMAL(38,0)';
    case DuckDBTypeId.TIMESTAMP_S:
    case DuckDBTypeId.TIMESTAMP_MS:
    case DuckDBTypeId.TIMESTAMP_NS:
      return 'TIMESTAMP';
    case DuckDBTypeId.VARIANT:
      return 'JSON';
    case DuckDBTypeId.VARCHAR:
      return type.alias === 'JSON' ? 'JSON' : 'VARCHAR';
    case DuckDBTypeId.LIST:
    case DuckDBTypeId.ARRAY:
      return `${storedType((type as DuckDBListType | DuckDBArrayType).valueType)}[]`;
    case DuckDBTypeId.STRUCT: {
      const { entryNames, entryTypes } = type as DuckDBStructType;
      const fields = entryTypes.map(
        (entry, i) => `${quoteIdentifier(entryNames[i] || `field${i + 1}`)} ${storedType(entry)}`,
      );
      return `STRUCT(${fields.join(', ')})`;
    }
    case DuckDBTypeId.MAP: {
      const { keyType, valueType } = type as DuckDBMapType;
      return `MAP(${storedType(keyType)}, ${storedType(valueType)})`;
    }
    // A column of nulls has no type yet.
    case DuckDBTypeId.SQLNULL:
      return type.toString();
    default:
      return columnTypeOf(type) === 'string' ? 'VARCHAR' : type.toString();
  }
}

/** Whether values of the type are stored unchanged. */
export const isStoredType = (type: DuckDBType): boolean => storedType(type) === (type.alias ?? type.toString());

/** Whether a Parquet file with a column of the type is known to have the same column type. */
export const isReadAsWritten = (type: DuckDBType): boolean =>
  type.typeId !== DuckDBTypeId.SQLNULL &&
  /^(boolean|integer|double|decimal\(\d+,\d+\)|date|timestamp|timestamptz|string)$/.test(columnTypeOf(type));

/** The select list that casts columns of a relation to their stored types, under their own names. */
export function storedColumns(columns: readonly Column[], types: readonly DuckDBType[]): string {
  return columns
    .map(({ name }, i) => `${quoteIdentifier(name)}::${storedType(types[i]!)} AS ${quoteIdentifier(name)}`)
    .join(', ');
}
