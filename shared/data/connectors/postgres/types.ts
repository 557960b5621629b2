import { decimalDigits, engineTypeOf } from '../../duckdb/column-types.ts';
import {
  castReading,
  decimalReading,
  inexact,
  lossyReading,
  TEXT_READING,
  type TextColumn,
  type TextReading,
} from '../rows/text-readings.ts';
import { decimalFormat } from './binary-decimal.ts';
import { type BinaryFormat, binaryFormat, PRINTED, sentAsText } from './binary-values.ts';
import type { PostgresSource } from './connection.ts';

/** How to read a column of a Postgres result: the platform's type, and SQL that converts its text in DuckDB. */
export interface PostgresColumn extends TextColumn {
  /** Whether the source sorts the type as text, so that bounds need a fixed collation. */
  isText: boolean;
  /** SQL for Postgres that returns the text to transfer. */
  send: (column: string) => string;
  /** How COPY transfers the values in its binary format. */
  binary: BinaryFormat;
}

export interface ResultField {
  name: string;
  dataTypeID: number;
  dataTypeModifier: number;
}

type Reading = Omit<PostgresColumn, 'name' | 'binary'>;
type BinaryReading = Omit<PostgresColumn, 'name'>;

const asIs = (column: string) => column;
const TEXT: Reading = { isText: false, send: asIs, ...TEXT_READING };

const cast = (type: string): Reading => ({ isText: false, send: asIs, ...castReading(type) });

/** Other readers of Parquet have no infinite dates: they become null. */
const instant = (type: string): Reading => ({ isText: false, send: asIs, ...lossyReading(type, engineDate) });

/** Postgres writes `0044-03-15 10:00:00 BC`, DuckDB reads `0044-03-15 (BC) 10:00:00`. */
const engineDate = (c: string) => `CASE WHEN ends_with(${c}, 'infinity') THEN NULL
  WHEN ends_with(${c}, ' BC') THEN regexp_replace(${c}, '^(\\d+-\\d\\d-\\d\\d)(.*) BC$', '\\1 (BC)\\2') ELSE ${c} END`;

/** A numeric without precision, or with more than 38 digits, becomes `decimalsAs`. NaN and infinity become null. */
function numeric(modifier: number, decimalsAs: string | undefined): BinaryReading {
  const declared =
    modifier >= 4
      ? { precision: ((modifier - 4) >> 16) & 0xffff, scale: (((modifier - 4) & 0x7ff) ^ 1024) - 1024 }
      : undefined;
  const reading = decimalReading(declared, decimalsAs);
  const digits = reading.roundedTo === undefined ? decimalDigits(reading.type) : undefined;
  const binary = digits ? decimalFormat(digits.precision, digits.scale) : PRINTED;
  return { isText: false, send: asIs, ...reading, binary };
}

/**
 * Arrays are transferred as JSON lists of texts, which keep every digit. Their type does not say how many dimensions
 * they have, and the values of a column may differ: then they are JSON.
 */
function array(item: Reading): BinaryReading {
  const send = (c: string) => `to_json(${c}::text[])`;
  return {
    ...listReading(item, 1),
    isText: false,
    send,
    binary: sentAsText(send),
    byValues: {
      aggregate: (c) => `[min(${dimensions(c)}), max(${dimensions(c)})]`,
      reading(found) {
        const [least, most] = found as [unknown, unknown];
        if (least === most) return listReading(item, Number(most ?? 1));
        const isBare = item.type === 'integer' || item.type === 'boolean';
        return castReading('json', isBare ? (c) => `replace(${c}, '"', '')` : asIs);
      },
    },
  };
}

/** Empty arrays have no dimensions and fit every list. */
const dimensions = (c: string) => `nullif(length(regexp_extract(${c}, '^\\[+')), if(${c} = '[]', 1, 0))`;

/** A list of items, or a list of lists of them, and so on; lists of another depth become null. */
function listReading(item: TextReading, depth: number): TextReading {
  const inner = item.type === 'binary' ? 'string' : item.type;
  const type = `${'list('.repeat(depth)}${inner}${')'.repeat(depth)}`;
  const isOfDepth = (c: string) => `coalesce(${dimensions(c)}, ${depth}) = ${depth}`;
  const texts = (c: string) => `(${c}::JSON)::VARCHAR${'[]'.repeat(depth)}`;
  const test = inexact(item);
  const value = (c: string) =>
    test ? eachItem(texts(c), depth, item.read) : `CAST(${texts(c)} AS ${engineTypeOf(type)})`;
  const items = (c: string) => `${'flatten('.repeat(depth - 1)}${texts(c)}${')'.repeat(depth - 1)}`;
  const any = (c: string, condition: (text: string) => string) =>
    `coalesce(list_bool_or(list_transform(${items(c)}, lambda v: coalesce(${condition('v')}, false))), false)`;
  const part = (condition: ((text: string) => string) | undefined) => (c: string) =>
    condition ? `CASE WHEN ${isOfDepth(c)} THEN ${any(c, condition)} ELSE false END` : 'false';
  const other = (c: string) => `(${c} IS NOT NULL AND NOT ${isOfDepth(c)})`;
  const lost = (c: string) => `(${other(c)} OR ${part(item.lost)(c)})`;
  const isLeft = part((text) => (item.lost ? `${text} IS NOT NULL AND NOT ${item.lost(text)}` : `${text} IS NOT NULL`));
  return {
    type,
    read: (c) => `CASE WHEN ${isOfDepth(c)} THEN ${value(c)} END`,
    lost,
    emptied: (c) => `(${lost(c)} AND NOT ${isLeft(c)})`,
    ...(item.rounded ? { rounded: part(item.rounded) } : {}),
  };
}

function eachItem(list: string, depth: number, read: (item: string) => string): string {
  const item = `v${depth}`;
  const inner = depth === 1 ? read(item) : eachItem(item, depth - 1, read);
  return `list_transform(${list}, lambda ${item}: ${inner})`;
}

const READINGS: Record<number, Reading> = {
  16: cast('boolean'),
  17: { type: 'binary', isText: false, send: asIs, read: (c) => `unhex(substr(${c}, 3))` },
  18: TEXT,
  20: cast('integer'),
  21: cast('integer'),
  23: cast('integer'),
  26: cast('integer'),
  19: { ...TEXT, isText: true },
  25: { ...TEXT, isText: true },
  1042: { ...TEXT, isText: true },
  1043: { ...TEXT, isText: true },
  114: cast('json'),
  3802: cast('json'),
  700: cast('double'),
  701: cast('double'),
  1082: instant('date'),
  1083: instant('time'),
  1114: instant('timestamp'),
  1184: instant('timestamptz'),
};

/**
 * How to read the columns of a result. Types that are not built in are looked up in the source: arrays become lists,
 * all others text.
 */
export async function postgresColumns(
  source: PostgresSource,
  fields: readonly ResultField[],
  decimalsAs?: string,
): Promise<PostgresColumn[]> {
  const unknown = [...new Set(fields.map(({ dataTypeID }) => dataTypeID))].filter(
    (oid) => oid !== NUMERIC && !READINGS[oid],
  );
  const items = await arrayItems(source, unknown);
  return fields.map(({ name, dataTypeID, dataTypeModifier }) => {
    const item = items.get(dataTypeID);
    const inner = scalar(item ?? dataTypeID, dataTypeModifier, decimalsAs);
    return { name, ...(item === undefined ? inner : array(inner)) };
  });
}

/** How to read a column of a known type; `item` is the type of an array's items. */
export function readingOf({ oid, modifier, item }: { oid: number; modifier: number; item?: number }): BinaryReading {
  return item === undefined ? scalar(oid, modifier) : array(scalar(item, modifier));
}

/** A column of a live result: the platform's type and Postgres' own; `item` is the type of a list's items. */
export interface ResultType {
  name: string;
  type: string;
  oid: number;
  item?: number;
}

/**
 * The types of a live result. Values are transferred as text, so a numeric without declared precision is a `decimal`
 * with all its digits.
 */
export async function resultTypes(source: PostgresSource, fields: readonly ResultField[]): Promise<ResultType[]> {
  const unknown = [...new Set(fields.map(({ dataTypeID }) => dataTypeID))].filter(
    (oid) => oid !== NUMERIC && !READINGS[oid],
  );
  const items = await arrayItems(source, unknown);
  return fields.map(({ name, dataTypeID: oid, dataTypeModifier }) => {
    const item = items.get(oid);
    const inner = item ?? oid;
    const type = inner === NUMERIC && dataTypeModifier < 4 ? 'decimal' : scalar(inner, dataTypeModifier).type;
    return item === undefined ? { name, type, oid } : { name, type: `list(${type})`, oid, item };
  });
}

const NUMERIC = 1700;

const scalar = (oid: number, modifier: number, decimalsAs?: string): BinaryReading =>
  oid === NUMERIC ? numeric(modifier, decimalsAs) : { ...(READINGS[oid] ?? TEXT), binary: binaryFormat(oid) };

async function arrayItems(source: PostgresSource, oids: readonly number[]): Promise<Map<number, number>> {
  if (oids.length === 0) return new Map();
  const { rows } = await source.query(
    `SELECT t.oid, CASE WHEN i.typtype = 'd' THEN i.typbasetype ELSE i.oid END
     FROM pg_catalog.pg_type t JOIN pg_catalog.pg_type i ON i.oid = t.typelem
     WHERE t.oid = ANY ($1::oid[]) AND t.typcategory = 'A'`,
    [oids],
  );
  return new Map(rows.map(([oid, item]) => [Number(oid), Number(item)]));
}
