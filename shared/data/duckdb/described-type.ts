import {
  type DuckDBArrayType,
  type DuckDBDecimalType,
  type DuckDBListType,
  type DuckDBStructType,
  type DuckDBType,
  DuckDBTypeId,
} from '@duckdb/node-api';
import { quoteIdentifier } from './quoting.ts';

const SCALARS: Partial<Record<DuckDBTypeId, string>> = {
  [DuckDBTypeId.BOOLEAN]: 'boolean',
  [DuckDBTypeId.TINYINT]: 'integer',
  [DuckDBTypeId.SMALLINT]: 'integer',
  [DuckDBTypeId.INTEGER]: 'integer',
  [DuckDBTypeId.BIGINT]: 'integer',
  [DuckDBTypeId.UTINYINT]: 'integer',
  [DuckDBTypeId.USMALLINT]: 'integer',
  [DuckDBTypeId.UINTEGER]: 'integer',
  // Exceeds a signed 64-bit integer, so it is stored and shown as a decimal, like unsigned integers of databases.
  [DuckDBTypeId.UBIGINT]: 'decimal(20,0)',
  // The platform has no 128-bit integer type (the type of integer sums), so they are stored and shown as decimals.
  [DuckDBTypeId.HUGEINT]: 'decimal(38,0)',
  [DuckDBTypeId.UHUGEINT]: 'decimal(38,0)',
  [DuckDBTypeId.FLOAT]: 'double',
  [DuckDBTypeId.DOUBLE]: 'double',
  [DuckDBTypeId.DATE]: 'date',
  [DuckDBTypeId.TIME]: 'time',
  [DuckDBTypeId.TIMESTAMP]: 'timestamp',
  [DuckDBTypeId.TIMESTAMP_S]: 'timestamp',
  [DuckDBTypeId.TIMESTAMP_MS]: 'timestamp',
  [DuckDBTypeId.TIMESTAMP_NS]: 'timestamp',
  [DuckDBTypeId.TIMESTAMP_TZ]: 'timestamptz',
  [DuckDBTypeId.BLOB]: 'binary',
  [DuckDBTypeId.MAP]: 'json',
  [DuckDBTypeId.VARIANT]: 'json',
};

/** The platform's name of an engine type; types without one (interval, uuid, enum, bit, union, …) are `string`. */
export function columnTypeOf(type: DuckDBType): string {
  switch (type.typeId) {
    case DuckDBTypeId.VARCHAR:
      return type.alias === 'JSON' ? 'json' : 'string';
    case DuckDBTypeId.DECIMAL: {
      const { width, scale } = type as DuckDBDecimalType;
      return `decimal(${width},${scale})`;
    }
    case DuckDBTypeId.LIST:
    case DuckDBTypeId.ARRAY:
      return `list(${columnTypeOf((type as DuckDBListType | DuckDBArrayType).valueType)})`;
    case DuckDBTypeId.STRUCT: {
      const { entryNames, entryTypes } = type as DuckDBStructType;
      if (entryNames.includes('')) return 'json';
      return `struct(${entryNames.map((name, i) => `${fieldName(name)} ${columnTypeOf(entryTypes[i]!)}`).join(', ')})`;
    }
    default:
      return SCALARS[type.typeId] ?? 'string';
  }
}

export const fieldName = (name: string) => (/^[A-Za-z_][A-Za-z0-9_]*$/.test(name) ? name : quoteIdentifier(name));
