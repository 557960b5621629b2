import { engineTypeOf } from '../engine/column-types.ts';
import type { PostgresSource } from './postgres-connection.ts';

/** How a column of a Postgres result is read: its type in our vocabulary and the way of its text into DuckDB. */
export interface PostgresColumn {
  name: string;
  type: string;
  /** Whether the source's type orders as text, so that bounds need a fixed collation. */
  isText: boolean;
  /** SQL for Postgres that gives the text to transfer. */
  send: (column: string) => string;
  /** SQL for DuckDB that makes the value of the text. */
  read: (column: string) => string;
  /** SQL for DuckDB: true when the value cannot be held exactly (it is null or rounded then); undefined when that cannot be. */
  lossy?: (column: string) => string;
}

export interface ResultField {
  name: string;
  dataTypeID: number;
  dataTypeModifier: number;
}

type Reading = Omit<PostgresColumn, 'name'>;

const asIs = (column: string) => column;
const TEXT: Reading = { type: 'string', isText: false, send: asIs, read: asIs };

const cast = (type: string): Reading => ({
  type,
  isText: false,
  send: asIs,
  read: (c) => `${c}::${engineTypeOf(type)}`,
});

/** Infinite and BC dates have no place in Parquet files that others read: they become null and are counted. */
const instant = (type: string): Reading => {
  const read = (c: string) =>
    `CASE WHEN NOT regexp_matches(${c}, 'infinity|BC') THEN TRY_CAST(${c} AS ${engineTypeOf(type)}) END`;
  return { type, isText: false, send: asIs, read, lossy: (c) => `${c} IS NOT NULL AND (${read(c)}) IS NULL` };
};

/** A numeric without precision, or above 38 digits, becomes a decimal(38,9); NaN, infinity and bigger values become null. */
function numeric(modifier: number): Reading {
  const declared =
    modifier >= 4
      ? { precision: ((modifier - 4) >> 16) & 0xffff, scale: (((modifier - 4) & 0x7ff) ^ 1024) - 1024 }
      : undefined;
  const digits = declared && declared.precision + Math.max(0, -declared.scale);
  const exact = declared && digits! <= 38 && declared.scale <= 38;
  const scale = exact ? Math.max(0, declared.scale) : 9;
  const type = `decimal(${exact ? Math.max(digits!, scale) : 38},${scale})`;
  const read = (c: string) => `TRY_CAST(${c} AS ${engineTypeOf(type)})`;
  const lossy = (c: string) =>
    `${c} IS NOT NULL AND (${read(c)} IS NULL OR length(rtrim(split_part(${c}, '.', 2), '0')) > ${scale})`;
  return { type, isText: false, send: asIs, read, lossy };
}

/** Arrays travel as JSON of texts, which hold every digit; one of several dimensions is no list of values and becomes null. */
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

/** The readings of a result's columns. Types that are not built in are asked of the source: arrays are lists, all else is text. */
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

/** A column of a live result: its type in our vocabulary and Postgres' own; `item` is the type of a list's items. */
export interface ResultType {
  name: string;
  type: string;
  oid: number;
  item?: number;
}

/** The types of a live result, whose values travel as text: a numeric of no declared precision is a `decimal` with all its digits. */
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
