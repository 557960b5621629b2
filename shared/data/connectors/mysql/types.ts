import type { FieldPacket } from 'mysql2';
import { castReading, decimalReading, doubtfulReading, TEXT_READING, type TextReading } from '../rows/text-readings.ts';
import type { TextColumn } from '../rows/text-rows.ts';

export interface MysqlColumn extends TextColumn {
  /** Whether the source's type orders as text, so that bounds need a fixed collation. */
  isText: boolean;
  /** SQL for the server that gives what is to be transferred. */
  send: (column: string) => string;
  /** The text of a value that has arrived. */
  textOf: (value: unknown) => string;
}

type Reading = TextReading & Pick<MysqlColumn, 'send' | 'textOf' | 'isText'>;

/** Column types and flags of the protocol (https://mariadb.com/kb/en/result-set-packets). */
const UNSIGNED = 32;
const BINARY_CHARSET = 63;

const asChar = (column: string) => `CAST(${column} AS CHAR)`;
const as = (reading: TextReading, send = asChar): Reading => ({ ...reading, send, textOf: String, isText: false });

/** The result of a function is null where it is longer than the server's `max_allowed_packet`; a value as it is has no such limit. */
const asIs = (column: string) => column;
const hexOf = (value: unknown) => Buffer.from(value as Buffer | string).toString('hex');

const TEXT: Reading = { ...as(TEXT_READING, asIs), isText: true };
const BINARY: Reading = { ...as({ type: 'binary', read: (c) => `unhex(${c})` }, asIs), textOf: hexOf };
const INTEGER = as(castReading('integer'));
/** Above what a signed 64-bit integer holds. */
const BIG_UNSIGNED = as(castReading('decimal(20,0)'));
const BITS = as(castReading('decimal(20,0)'), (c) => `CAST(${c} + 0 AS CHAR)`);
/** A FLOAT shows six digits as text; as a double it shows all that it has. */
const FLOAT = as(castReading('double'), (c) => `CAST(${c} + 0e0 AS CHAR)`);
const GEOMETRY = as(TEXT_READING, (c) => `ST_AsText(${c})`);

/** `0000-00-00` is no date and a TIME may have hundreds of hours: both become null and are counted. */
const READINGS: Record<number, Reading> = {
  1: INTEGER,
  2: INTEGER,
  3: INTEGER,
  4: FLOAT,
  5: as(castReading('double')),
  6: TEXT,
  7: as(doubtfulReading('timestamptz', (c) => `(${c} || '+00')`)),
  8: INTEGER,
  9: INTEGER,
  10: as(doubtfulReading('date')),
  11: as(doubtfulReading('time')),
  12: as(doubtfulReading('timestamp')),
  13: INTEGER,
  16: BITS,
  245: as(doubtfulReading('json'), asIs),
  247: TEXT,
  248: TEXT,
  255: GEOMETRY,
};

/** The columns of a result, by what the server says of their types; booleans are the integers that MySQL stores them as. */
export function mysqlColumns(fields: readonly FieldPacket[]): MysqlColumn[] {
  return fields.map((field) => ({ name: field.name, ...readingOf(field) }));
}

function readingOf(field: FieldPacket): Reading {
  const { columnType = 253, columnLength = 0, decimals = 0 } = field as FieldPacket & { columnType?: number };
  const flags = Number(field.flags ?? 0);
  if (columnType === 0 || columnType === 246) {
    const signs = ((flags & UNSIGNED) === 0 ? 1 : 0) + (decimals > 0 ? 1 : 0);
    return as(decimalReading({ precision: columnLength - signs, scale: decimals }));
  }
  if (columnType === 8 && (flags & UNSIGNED) !== 0) return BIG_UNSIGNED;
  const known = READINGS[columnType];
  if (known) return known;
  return field.characterSet === BINARY_CHARSET ? BINARY : TEXT;
}
