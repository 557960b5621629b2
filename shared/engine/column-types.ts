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

/** Of a decimal type, its digits in all and behind the point; undefined for any other type. */
export function decimalDigits(type: string): { precision: number; scale: number } | undefined {
  const match = /^decimal\((\d+),(\d+)\)$/.exec(type);
  return match ? { precision: Number(match[1]), scale: Number(match[2]) } : undefined;
}

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
