import type { PlainColumn } from '../../duckdb/plain-parquet/plain-column.ts';
import type { PlainType } from '../../duckdb/plain-parquet/plain-parquet.ts';

/** A value that COPY has sent: `length` bytes of `bytes` from `at`. */
export interface SentValue {
  bytes: Uint8Array;
  view: DataView;
  at: number;
  length: number;
}

/** How values of a type are read from COPY's binary format. */
export interface BinaryFormat {
  /** SQL for Postgres that returns the value to send; the column by default. */
  send?: (column: string) => string;
  stored: PlainType;
  /** Adds the value to the column. False if the column cannot hold it exactly. */
  add(column: PlainColumn, value: SentValue): boolean;
  /** SQL for DuckDB that converts the stored value; the stored value by default. */
  read?: (column: string) => string;
  /** Set if the stored value is the text that the reading of the column converts. */
  isText?: true;
  /** Set if values may be endless, which become null. */
  mayBeEndless?: true;
}

const TWO_32 = 2 ** 32;

/** Copying few bytes one by one is faster than calling the function that copies many. */
const FEW_BYTES = 24;

function copyBytes(column: PlainColumn, to: number, { bytes }: SentValue, from: number, length: number): void {
  const target = column.bytes;
  if (length > FEW_BYTES) target.set(bytes.subarray(from, from + length), to);
  else for (let i = 0; i < length; i += 1) target[to + i] = bytes[from + i]!;
}

/** Bytes after a length of four bytes; `skipped` of them are not part of the value. */
const bytesFormat = (as: 'text' | undefined, skipped = 0): BinaryFormat => ({
  stored: { physical: 'BYTE_ARRAY', ...(as ? { as } : {}) },
  add(column, value) {
    const length = value.length - skipped;
    const at = column.room(4 + length);
    column.view.setUint32(at, length, true);
    copyBytes(column, at + 4, value, value.at + skipped, length);
    return true;
  },
});

const TEXT: BinaryFormat = { ...bytesFormat('text'), isText: true };

/** What the server's output function writes; unlike a cast to text, which some types define in another way. */
export const PRINTED: BinaryFormat = { ...TEXT, send: (c) => `CASE WHEN num_nulls(${c}) = 0 THEN concat(${c}) END` };

function integer(read: (view: DataView, at: number) => number): BinaryFormat {
  return {
    stored: { physical: 'INT64' },
    add(column, { view, at }) {
      setInteger(column, read(view, at));
      return true;
    },
  };
}

/** Adds an integer that a double holds exactly, as 64 bits. */
function setInteger(column: PlainColumn, value: number): void {
  const to = column.room(8);
  const high = Math.floor(value / TWO_32);
  column.view.setUint32(to, value - high * TWO_32, true);
  column.view.setInt32(to + 4, high, true);
}

const LONG: BinaryFormat = {
  stored: { physical: 'INT64' },
  add(column, { view, at }) {
    const to = column.room(8);
    column.view.setUint32(to, view.getUint32(at + 4), true);
    column.view.setInt32(to + 4, view.getInt32(at), true);
    return true;
  },
};

const DOUBLE: BinaryFormat = {
  stored: { physical: 'DOUBLE' },
  add(column, { view, at }) {
    const to = column.room(8);
    column.view.setFloat64(to, view.getFloat64(at), true);
    return true;
  },
};

const BOOLEAN: BinaryFormat = {
  stored: { physical: 'INT32' },
  read: (c) => `${c}::BOOLEAN`,
  add(column, { bytes, at }) {
    const to = column.room(4);
    column.view.setInt32(to, bytes[at]!, true);
    return true;
  },
};

const UUID: BinaryFormat = {
  stored: { physical: 'FIXED_16', as: 'uuid' },
  read: (c) => `${c}::VARCHAR`,
  add(column, value) {
    copyBytes(column, column.room(16), value, value.at, 16);
    return true;
  },
};

/** Days from 1970 to 2000, from which Postgres counts. */
const DAYS_TO_2000 = 10_957;
const [MIN_INT32, MAX_INT32] = [-(2 ** 31), 2 ** 31 - 1];

const DATE: BinaryFormat = {
  stored: { physical: 'INT32', as: 'date' },
  mayBeEndless: true,
  add(column, { view, at }) {
    const days = view.getInt32(at);
    const to = column.room(4);
    // The engine has endless dates as well, with almost the same numbers.
    const isEndless = days === MAX_INT32 || days === MIN_INT32;
    column.view.setInt32(to, isEndless ? Math.max(days, -MAX_INT32) : days + DAYS_TO_2000, true);
    return true;
  },
};

const DAY_MICROSECONDS = 86_400_000_000;

const TIME: BinaryFormat = {
  stored: { physical: 'INT64', as: 'time' },
  add(column, { view, at }) {
    const micros = view.getInt32(at) * TWO_32 + view.getUint32(at + 4);
    setInteger(column, micros);
    return micros < DAY_MICROSECONDS;
  },
};

const MICROS_TO_2000 = DAYS_TO_2000 * DAY_MICROSECONDS;
const [HIGH_TO_2000, LOW_TO_2000] = [Math.floor(MICROS_TO_2000 / TWO_32), MICROS_TO_2000 % TWO_32];

const moment = (as: 'timestamp' | 'timestamptz'): BinaryFormat => ({
  stored: { physical: 'INT64', as },
  mayBeEndless: true,
  add(column, { view, at }) {
    const to = column.room(8);
    const [sentHigh, sentLow] = [view.getInt32(at), view.getUint32(at + 4)];
    let high = sentHigh + HIGH_TO_2000;
    let low = sentLow + LOW_TO_2000;
    if (low >= TWO_32) {
      low -= TWO_32;
      high += 1;
    }
    if (high > MAX_INT32 || sentHigh === MIN_INT32) {
      const isEndless = (sentHigh === MAX_INT32 && sentLow === TWO_32 - 1) || (sentHigh === MIN_INT32 && sentLow === 0);
      if (!isEndless) return false;
      [high, low] = sentHigh < 0 ? [MIN_INT32, 1] : [MAX_INT32, TWO_32 - 1];
    }
    column.view.setUint32(to, low, true);
    column.view.setInt32(to + 4, high, true);
    return true;
  },
});

/** The formats of built-in types by their number. */
const FORMATS: Record<number, BinaryFormat> = {
  16: BOOLEAN,
  17: bytesFormat(undefined),
  19: TEXT,
  20: LONG,
  21: integer((view, at) => view.getInt16(at)),
  23: integer((view, at) => view.getInt32(at)),
  25: TEXT,
  26: integer((view, at) => view.getUint32(at)),
  114: TEXT,
  // Its shortest text is another number than its bits.
  700: { ...DOUBLE, send: (c) => `CAST(${c}::text AS float8)` },
  701: DOUBLE,
  1042: TEXT,
  1043: TEXT,
  1082: DATE,
  1083: TIME,
  1114: moment('timestamp'),
  1184: moment('timestamptz'),
  2950: UUID,
  // A version precedes the text.
  3802: { ...bytesFormat('text', 1), isText: true },
};

/** How to read a column of this type, or the text of its values. */
export const binaryFormat = (oid: number): BinaryFormat => FORMATS[oid] ?? PRINTED;

/** The text of values that are converted to a text of their own before they are sent. */
export const sentAsText = (send: (column: string) => string): BinaryFormat => ({ ...TEXT, send });
