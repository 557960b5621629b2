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
 * The type a value must be cast to before it is stored as Parquet; the same text as the type's own when it is stored as it is.
 * Each type of our vocabulary is stored in one way (but for the sizes of numbers), or files of one column could not be read
 * together: instants have microseconds, and what has no name of its own is text, as are intervals, which would lose theirs.
 * Integers of other engines have 64 bits with a sign: unsigned ones become decimals.
 * DuckDB would write 128-bit integers as doubles: they become decimals, and one too big for 38 digits fails the write.
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
    // A column of nulls is of no type yet.
    case DuckDBTypeId.SQLNULL:
      return type.toString();
    default:
      return columnTypeOf(type) === 'string' ? 'VARCHAR' : type.toString();
  }
}

/** Whether values of the type are stored as they are. */
export const isStoredType = (type: DuckDBType): boolean => storedType(type) === (type.alias ?? type.toString());

/** The select list that gives columns of one relation their stored types, under their own names. */
export function storedColumns(columns: readonly Column[], types: readonly DuckDBType[]): string {
  return columns
    .map(({ name }, i) => `${quoteIdentifier(name)}::${storedType(types[i]!)} AS ${quoteIdentifier(name)}`)
    .join(', ');
}
