import { engineTypeOf } from '../../duckdb/column-types.ts';
import { castReading, decimalReading, lossyReading, TEXT_READING } from '../rows/text-readings.ts';
import type { TextColumn } from '../rows/text-rows.ts';
import type { PostgresSource } from './connection.ts';

/** How to read a column of a Postgres result: the platform's type, and SQL that converts its text in DuckDB. */
export interface PostgresColumn extends TextColumn {
  /** Whether the source sorts the type as text, so that bounds need a fixed collation. */
  isText: boolean;
  /** SQL for Postgres that returns the text to transfer. */
  send: (column: string) => string;
}

export interface ResultField {
  name: string;
  dataTypeID: number;
  dataTypeModifier: number;
}

type Reading = Omit<PostgresColumn, 'name'>;

const asIs = (column: string) => column;
const TEXT: Reading = { isText: false, send: asIs, ...TEXT_READING };

const cast = (type: string): Reading => ({ isText: false, send: asIs, ...castReading(type) });

/** Other readers of Parquet cannot represent infinite and BC dates: they become null and are counted. */
const instant = (type: string): Reading => ({
  isText: false,
  send: asIs,
  ...lossyReading(type, (c) => `CASE WHEN NOT regexp_matches(${c}, 'infinity|BC') THEN ${c} END`),
});

/**
 * A numeric without precision, or with more than 38 digits, becomes a decimal(38,9). NaN, infinity and larger values
 * become null.
 */
function numeric(modifier: number): Reading {
  const declared =
    modifier >= 4
      ? { precision: ((modifier - 4) >> 16) & 0xffff, scale: (((modifier - 4) & 0x7ff) ^ 1024) - 1024 }
      : undefined;
  return { isText: false, send: asIs, ...decimalReading(declared) };
}

/**
 * Arrays are transferred as JSON lists of texts, which keep every digit. A multidimensional array is not a list of
 * values and becomes null.
 */
function array(item: Reading): Reading {
  const inner = item.type === 'binary' ? 'string' : item.type;
  const type = `list(${inner})`;
  const flat = (c: string) => `coalesce(json_type(${c}::JSON, '$[0]'), '') <> 'ARRAY'`;
  const texts = (c: string) => `(${c}::JSON)::VARCHAR[]`;
  const read = (c: string) => `CASE WHEN ${flat(c)} THEN TRY_CAST(${texts(c)} AS ${engineTypeOf(type)}) END`;
  const held = (list: string) => `list_count(${list})`;
  const lossy = (c: string) => `${c} IS NOT NULL AND (NOT ${flat(c)} OR ${held(texts(c))} <> ${held(read(c))})`;
  return { type, isText: false, send: (c) => `to_json(${c}::text[])`, read, lossy };
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
): Promise<PostgresColumn[]> {
  const unknown = [...new Set(fields.map(({ dataTypeID }) => dataTypeID))].filter(
    (oid) => oid !== 1700 && !READINGS[oid],
  );
  const items = await arrayItems(source, unknown);
  return fields.map(({ name, dataTypeID, dataTypeModifier }) => {
    const item = items.get(dataTypeID);
    const reading = item === undefined ? scalar(dataTypeID, dataTypeModifier) : array(scalar(item, dataTypeModifier));
    return { name, ...reading };
  });
}

/** How to read a column of a known type; `item` is the type of an array's items. */
export function readingOf({ oid, modifier, item }: { oid: number; modifier: number; item?: number }): Reading {
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

const scalar = (oid: number, modifier: number): Reading => (oid === 1700 ? numeric(modifier) : (READINGS[oid] ?? TEXT));

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
