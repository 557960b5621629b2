import { DataError } from '../../platform/errors/data-error.ts';
import { quoteIdentifier } from './quoting.ts';

/**
 * A column of a result or a file. The type is one of `string`, `integer` (64 bit), `decimal(p,s)`, `double`, `boolean`,
 * `date`, `timestamp`, `timestamptz`, `time`, `json`, `binary`, `list(type)` and `struct(name type, …)`.
 */
export interface Column {
  name: string;
  type: string;
}

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

/** Precision and scale of a decimal type; undefined for any other type. */
export function decimalDigits(type: string): { precision: number; scale: number } | undefined {
  const match = /^decimal\((\d+),(\d+)\)$/.exec(type);
  return match ? { precision: Number(match[1]), scale: Number(match[2]) } : undefined;
}

/** A parsed column type. */
export type ColumnType =
  | { kind: 'scalar'; name: string }
  | { kind: 'list'; item: ColumnType }
  | { kind: 'struct'; fields: { name: string; type: ColumnType }[] };

/**
 * Maximum nesting of lists for code: each further level doubles the time that the engine takes to parse a statement.
 */
export const MAX_LISTS = 10;

/** The depth to which lists are nested. */
export function listDepth(type: ColumnType): number {
  if (type.kind === 'list') return 1 + listDepth(type.item);
  return type.kind === 'struct' ? Math.max(...type.fields.map((field) => listDepth(field.type))) : 0;
}

/** Parses the name of a column type. Throws SCHEMA_MISMATCH for an unknown one. */
export function readColumnType(columnType: string): ColumnType {
  const reader = { text: columnType, at: 0 };
  const type = readType(reader);
  if (reader.at !== columnType.length) throw unknownType(columnType);
  return type;
}

/**
 * The engine's type for a column type. `instead` replaces scalar types, also within lists and structs. Throws
 * SCHEMA_MISMATCH for an unknown type.
 */
export const engineTypeOf = (columnType: string, instead: Record<string, string> = {}): string =>
  engineText(readColumnType(columnType), (name) => instead[name] ?? engineName(name));

/** The same lists and structs with all scalars as text. */
export const textsTypeOf = (type: ColumnType): string => engineText(type, () => 'VARCHAR');

function engineText(type: ColumnType, scalar: (name: string) => string): string {
  if (type.kind === 'list') return `${engineText(type.item, scalar)}[]`;
  if (type.kind === 'scalar') return scalar(type.name);
  const fields = type.fields.map((field) => `${quoteIdentifier(field.name)} ${engineText(field.type, scalar)}`);
  return `STRUCT(${fields.join(', ')})`;
}

const engineName = (name: string) => ENGINE_NAMES[name] ?? name.toUpperCase();

interface Reader {
  text: string;
  at: number;
}

function readType(reader: Reader): ColumnType {
  const word = take(reader, /[a-z]+/y);
  if (word === 'decimal') {
    const arguments_ = take(reader, /\((\d{1,2}),(\d{1,2})\)/y);
    const [precision, scale] = (arguments_.match(/\d+/g) ?? []).map(Number) as [number, number];
    if (precision < 1 || precision > 38 || scale > precision) throw unknownType(reader.text);
    return { kind: 'scalar', name: `decimal(${precision},${scale})` };
  }
  if (word === 'list') {
    take(reader, /\(/y);
    const item = readType(reader);
    take(reader, /\)/y);
    return { kind: 'list', item };
  }
  if (word === 'struct') {
    const fields: { name: string; type: ColumnType }[] = [];
    let open = take(reader, /\(/y);
    while (open !== ')') {
      const name = take(reader, /[A-Za-z_][A-Za-z0-9_]*|"(?:[^"]|"")+"/y);
      take(reader, / /y);
      fields.push({
        name: name.startsWith('"') ? name.slice(1, -1).replaceAll('""', '"') : name,
        type: readType(reader),
      });
      open = take(reader, /, |\)/y);
    }
    return { kind: 'struct', fields };
  }
  if (!Object.hasOwn(ENGINE_NAMES, word)) throw unknownType(reader.text);
  return { kind: 'scalar', name: word };
}

function take(reader: Reader, pattern: RegExp): string {
  pattern.lastIndex = reader.at;
  const match = pattern.exec(reader.text);
  if (!match) throw unknownType(reader.text);
  reader.at += match[0].length;
  return match[0];
}

const unknownType = (text: string) => new DataError('SCHEMA_MISMATCH', `"${text}" is not a column type.`);
