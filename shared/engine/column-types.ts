import {
  type DuckDBArrayType,
  type DuckDBDecimalType,
  type DuckDBListType,
  type DuckDBStructType,
  type DuckDBType,
  DuckDBTypeId,
} from '@duckdb/node-api';
import { EngineError } from './engine-error.ts';
import { quoteIdentifier } from './quoting.ts';

/**
 * A column of a result or a file. The type is one of `string`, `integer` (64 bit), `decimal(p,s)`, `double`, `boolean`,
 * `date`, `timestamp`, `timestamptz`, `time`, `json`, `binary`, `list(type)` and `struct(name type, …)`.
 */
export interface Column {
  name: string;
  type: string;
}

const SCALARS: Partial<Record<DuckDBTypeId, string>> = {
  [DuckDBTypeId.BOOLEAN]: 'boolean',
  [DuckDBTypeId.TINYINT]: 'integer',
  [DuckDBTypeId.SMALLINT]: 'integer',
  [DuckDBTypeId.INTEGER]: 'integer',
  [DuckDBTypeId.BIGINT]: 'integer',
  [DuckDBTypeId.UTINYINT]: 'integer',
  [DuckDBTypeId.USMALLINT]: 'integer',
  [DuckDBTypeId.UINTEGER]: 'integer',
  [DuckDBTypeId.UBIGINT]: 'integer',
  // 128-bit integers (every sum of integers) have no name of their own: they are stored and shown as decimals.
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

/** The name of an engine type in our vocabulary; types without one (interval, uuid, enum, bit, union, …) are `string`. */
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

const fieldName = (name: string) => (/^[A-Za-z_][A-Za-z0-9_]*$/.test(name) ? name : quoteIdentifier(name));

const ENGINE_NAMES: Record<string, string> = {
  string: 'VARCHAR',
  integer: 'BIGINT',
  double: 'DOUBLE',
  boolean: 'BOOLEAN',
  date: 'DATE',
  time: 'TIME',
  timestamp: 'TIMESTAMP',
  timestamptz: 'TIMESTAMPTZ',
  json: 'JSON',
  binary: 'BLOB',
};

/** The engine's type for a name of our vocabulary. Throws SCHEMA_MISMATCH for a name outside of it. */
export function engineTypeOf(columnType: string): string {
  const reader = { text: columnType, at: 0 };
  const type = readType(reader);
  if (reader.at !== columnType.length) throw unknownType(columnType);
  return type;
}

interface Reader {
  text: string;
  at: number;
}

function readType(reader: Reader): string {
  const word = take(reader, /[a-z]+/y);
  if (word === 'decimal') {
    const arguments_ = take(reader, /\((\d{1,2}),(\d{1,2})\)/y);
    const [precision, scale] = (arguments_.match(/\d+/g) ?? []).map(Number) as [number, number];
    if (precision < 1 || precision > 38 || scale > precision) throw unknownType(reader.text);
    return `DECIMAL(${precision},${scale})`;
  }
  if (word === 'list') {
    take(reader, /\(/y);
    const item = readType(reader);
    take(reader, /\)/y);
    return `${item}[]`;
  }
  if (word === 'struct') {
    const fields: string[] = [];
    let open = take(reader, /\(/y);
    while (open !== ')') {
      const name = take(reader, /[A-Za-z_][A-Za-z0-9_]*|"(?:[^"]|"")+"/y);
      take(reader, / /y);
      fields.push(`${name.startsWith('"') ? name : quoteIdentifier(name)} ${readType(reader)}`);
      open = take(reader, /, |\)/y);
    }
    return `STRUCT(${fields.join(', ')})`;
  }
  const name = ENGINE_NAMES[word];
  if (!name) throw unknownType(reader.text);
  return name;
}

function take(reader: Reader, pattern: RegExp): string {
  pattern.lastIndex = reader.at;
  const match = pattern.exec(reader.text);
  if (!match) throw unknownType(reader.text);
  reader.at += match[0].length;
  return match[0];
}

const unknownType = (text: string) => new EngineError('SCHEMA_MISMATCH', `"${text}" is not a column type.`);
