import type { FieldPacket } from 'mysql2';
import { DataError } from '../../../platform/errors/data-error.ts';
import { zonedInstant } from '../rows/zoned-instant.ts';
import { mysqlColumns } from './types.ts';

type Value = string | number | Buffer | null;
type Shown = (value: Exclude<Value, null>) => string;

const UNSIGNED_DIGITS = 38;
const [FLOAT, BITS, JSON_TEXT, GEOMETRY] = [4, 16, 245, 255];

/**
 * Converts rows of the driver to JSON in the wire format (`shared/data/duckdb/wire-format.ts`). Throws SQL_ERROR for
 * columns that it cannot represent.
 */
export function mysqlWire(fields: readonly FieldPacket[], timezone: string) {
  let lossy = false;
  const impossible = () => {
    lossy = true;
    return 'null';
  };
  const columns = mysqlColumns(fields).map(({ name, type }, i) => ({ name, type: liveType(fields[i]!, type) }));
  const shown = columns.map(({ name, type }, i) => reader(name, type, columnTypeOf(fields[i]!), timezone, impossible));
  return {
    columns,
    row: (row: readonly Value[]): string =>
      `[${row.map((value, i) => (value === null ? 'null' : shown[i]!(value))).join(',')}]`,
    /** Whether an invalid date or a time of more than a day has become null so far. */
    isLossy: () => lossy,
  };
}

const columnTypeOf = (field: FieldPacket) => (field as FieldPacket & { columnType?: number }).columnType ?? 253;

/** Values are transferred as text with all their digits, so decimals of more than 38 digits keep them. */
function liveType(field: FieldPacket, type: string): string {
  const { columnLength = 0, decimals = 0, extendedFormat } = field as FieldPacket & { extendedFormat?: string };
  if (extendedFormat === 'json') return 'json';
  const isDecimal = columnTypeOf(field) === 0 || columnTypeOf(field) === 246;
  return isDecimal && Number(columnLength) - (Number(decimals) > 0 ? 2 : 1) > UNSIGNED_DIGITS ? 'decimal' : type;
}

function reader(name: string, type: string, columnType: number, timezone: string, impossible: () => string): Shown {
  if (columnType === GEOMETRY) {
    return () => {
      throw new DataError('SQL_ERROR', `The column "${name}" is a geometry: select ST_AsText of it.`);
    };
  }
  if (columnType === BITS) return (value) => quoted(BigInt(`0x${(value as Buffer).toString('hex') || '0'}`).toString());
  if (columnType === FLOAT) return (value) => shortestFloat(Number(value));
  if (columnType === JSON_TEXT || type === 'json') return (value) => jsonText(String(value));
  switch (type) {
    case 'integer':
      return (value) => (Number.isSafeInteger(Number(value)) ? String(value) : quoted(String(value)));
    case 'double':
      return (value) => String(Number(value));
    case 'date':
      return (value) => (isCalendarDay(String(value)) ? quoted(String(value)) : impossible());
    case 'time':
      return (value) => (/^([01]\d|2[0-3]):/.test(String(value)) ? quoted(String(value)) : impossible());
    case 'timestamp':
      return (value) => (isCalendarDay(String(value)) ? quoted(`${instant(String(value))}Z`) : impossible());
    case 'timestamptz':
      return (value) =>
        isCalendarDay(String(value)) ? quoted(zonedInstant(instant(String(value)), timezone)) : impossible();
    default:
      return (value) => quoted(Buffer.isBuffer(value) ? value.toString('base64') : String(value));
  }
}

const quoted = (text: string) => JSON.stringify(text);

/** Servers validate JSON when they store it, but MariaDB's functions may call any text JSON. */
function jsonText(text: string): string {
  try {
    JSON.parse(text);
    return text;
  } catch {
    return quoted(text);
  }
}

/** The fewest digits that identify the number as a 32-bit float; a double would need more. */
function shortestFloat(value: number): string {
  for (let digits = 6; digits < 9; digits += 1) {
    const short = Number(value.toPrecision(digits));
    if (Math.fround(short) === value) return String(short);
  }
  return String(Number(value.toPrecision(9)));
}

/** MySQL can store `0000-00-00`, `2026-00-10` and `2026-02-30`. */
function isCalendarDay(text: string): boolean {
  const [year, month, day] = text.slice(0, 10).split('-').map(Number) as [number, number, number];
  if (year === 0) return false;
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}

/** `2024-01-02 03:04:05.120000` as ISO 8601, with at least milliseconds and without further zeros. */
function instant(text: string): string {
  const [clock = '', fraction = ''] = text.replace(' ', 'T').split('.');
  return `${clock}.${fraction.padEnd(3, '0').replace(/(?<=^\d{3,})0+$/, '')}`;
}
