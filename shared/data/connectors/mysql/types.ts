import type { FieldPacket } from 'mysql2';
import {
  castReading,
  decimalReading,
  lossyReading,
  TEXT_READING,
  type TextColumn,
  type TextReading,
} from '../rows/text-readings.ts';

export interface MysqlColumn extends TextColumn {
  /** Whether the source sorts the type as text, so that bounds need a fixed collation. */
  isText: boolean;
  /** SQL for the server that returns the value to transfer. */
  send: (column: string) => string;
  /** The text of a received value. */
  textOf: (value: unknown) => string;
}

type Reading = TextReading & Pick<MysqlColumn, 'send' | 'textOf' | 'isText'>;

/** Column types and flags of the protocol (https://mariadb.com/kb/en/result-set-packets). */
const UNSIGNED = 32;
const BINARY_CHARSET = 63;

const asChar = (column: string) => `CAST(${column} AS CHAR)`;
const as = (reading: TextReading, send = asChar): Reading => ({ ...reading, send, textOf: String, isText: false });

/** A function's result longer than the server's `max_allowed_packet` is null; a plain value has no such limit. */
const asIs = (column: string) => column;
const hexOf = (value: unknown) => Buffer.from(value as Buffer | string).toString('hex');

const TEXT: Reading = { ...as(TEXT_READING, asIs), isText: true };
const BINARY: Reading = { ...as({ type: 'binary', read: (c) => `unhex(${c})` }, asIs), textOf: hexOf };
const INTEGER = as(castReading('integer'));
/** May exceed a signed 64-bit integer. */
const BIG_UNSIGNED = as(castReading('decimal(20,0)'));
const BITS = as(castReading('decimal(20,0)'), (c) => `CAST(${c} + 0 AS CHAR)`);
/** As text, a FLOAT has six digits; as a double it has all of them. */
const FLOAT = as(castReading('double'), (c) => `CAST(${c} + 0e0 AS CHAR)`);
const GEOMETRY = as(TEXT_READING, (c) => `ST_AsText(${c})`);

/** `0000-00-00` is not a date, and a TIME may have hundreds of hours: both become null. */
const READINGS: Record<number, Reading> = {
  1: INTEGER,
  2: INTEGER,
  3: INTEGER,
  4: FLOAT,
  5: as(castReading('double')),
  6: TEXT,
  7: as(lossyReading('timestamptz', (c) => `(${c} || '+00')`)),
  8: INTEGER,
  9: INTEGER,
  10: as(lossyReading('date')),
  11: as(lossyReading('time')),
  12: as(lossyReading('timestamp')),
  13: INTEGER,
  16: BITS,
  245: as(lossyReading('json'), asIs),
  247: TEXT,
  248: TEXT,
  255: GEOMETRY,
};

/** The columns of a result, typed by the server's metadata. Booleans are integers, as MySQL stores them. */
export function mysqlColumns(fields: readonly FieldPacket[], decimalsAs?: string): MysqlColumn[] {
  return fields.map((field) => ({ name: field.name, ...readingOf(field, decimalsAs) }));
}

function readingOf(field: FieldPacket, decimalsAs: string | undefined): Reading {
  const { columnType = 253, columnLength = 0, decimals = 0 } = field as FieldPacket & { columnType?: number };
  const flags = Number(field.flags ?? 0);
  if (columnType === 0 || columnType === 246) {
    const signs = ((flags & UNSIGNED) === 0 ? 1 : 0) + (decimals > 0 ? 1 : 0);
    return as(decimalReading({ precision: columnLength - signs, scale: decimals }, decimalsAs));
  }
  if (columnType === 8 && (flags & UNSIGNED) !== 0) return BIG_UNSIGNED;
  const known = READINGS[columnType];
  if (known) return known;
  return field.characterSet === BINARY_CHARSET ? BINARY : TEXT;
}
