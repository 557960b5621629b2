import { types } from 'pg';
import type { PostgresSource } from '../../../data/connectors/postgres/connection.ts';
import { DataError } from '../../../platform/errors/data-error.ts';
import { partsOf } from './record.ts';

/** A column of a change file, with all that is needed to read its texts without the source. */
export interface ShapeColumn {
  name: string;
  oid: number;
  modifier: number;
  /** The type of the items of an array; arrays are stored as JSON. */
  item?: number;
}

export interface Shape {
  columns: ShapeColumn[];
  /** Names of the columns that identify a row; null if only the whole row does. */
  key: string[] | null;
}

/** A table in the source, with the details for reading its rows. */
export interface SourceTableShape extends Shape {
  oid: number;
  /** The SQL types of the key columns, in the order of the key. */
  keyTypes: string[];
}

/**
 * Describes a table with the columns of its publication. Its key is what the log contains of deleted rows: the index of
 * its replica identity, or else the primary key. Throws NOT_FOUND.
 */
export async function describeTable(source: PostgresSource, name: string): Promise<SourceTableShape> {
  const { schema, table } = partsOf(name);
  const { rows } = await source.query(
    `SELECT c.oid, a.attname, a.atttypid, a.atttypmod, pg_catalog.format_type(a.atttypid, a.atttypmod), k.position
     FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
     JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
     LEFT JOIN LATERAL (
       SELECT i.indkey, i.indnkeyatts FROM pg_catalog.pg_index i
       WHERE i.indrelid = c.oid AND (i.indisprimary OR i.indisreplident AND c.relreplident = 'i')
       ORDER BY i.indisprimary LIMIT 1) AS identity ON true
     LEFT JOIN LATERAL (
       SELECT ordinality AS position FROM unnest(identity.indkey::int2[]) WITH ORDINALITY AS u(attnum, ordinality)
       WHERE u.attnum = a.attnum AND u.ordinality <= identity.indnkeyatts) AS k ON true
     WHERE n.nspname = $1 AND c.relname = $2 ORDER BY a.attnum`,
    [schema, table],
  );
  const [first] = rows;
  if (!first) throw new DataError('NOT_FOUND', `The table ${name} does not exist.`);
  const keyed = rows
    .filter(([, , , , , position]) => position !== null)
    .sort((one, other) => Number(one[5]) - Number(other[5]));
  const columns = rows.map(([, column, oid, modifier]) => ({
    name: String(column),
    oid: Number(oid),
    modifier: Number(modifier),
  }));
  return {
    oid: Number(first[0]),
    columns: await resolveTypes(source, columns),
    key: keyed.length > 0 ? keyed.map(([, column]) => String(column)) : null,
    keyTypes: keyed.map(([, , , , type]) => String(type)),
  };
}

/** Resolves types: a domain is read as its base type, an array by the type of its items. */
export async function resolveTypes(source: PostgresSource, columns: readonly ShapeColumn[]): Promise<ShapeColumn[]> {
  const { rows } = await source.query(
    `WITH RECURSIVE base AS (
       SELECT oid AS asked, oid, typtype, typbasetype, typtypmod, typcategory, typelem
       FROM pg_catalog.pg_type WHERE oid = ANY ($1::oid[])
       UNION ALL
       SELECT b.asked, t.oid, t.typtype, t.typbasetype, b.typtypmod, t.typcategory, t.typelem
       FROM base b JOIN pg_catalog.pg_type t ON t.oid = b.typbasetype WHERE b.typtype = 'd')
     SELECT b.asked, b.oid, b.typtypmod, CASE WHEN b.typcategory = 'A' THEN CASE WHEN i.typtype = 'd' THEN i.typbasetype ELSE i.oid END END
     FROM base b LEFT JOIN pg_catalog.pg_type i ON i.oid = b.typelem WHERE b.typtype <> 'd'`,
    [[...new Set(columns.map(({ oid }) => oid))]],
  );
  const known = new Map(rows.map(([asked, ...type]) => [Number(asked), type]));
  return columns.map((column) => {
    const [oid, modifier, item] = known.get(column.oid) ?? [];
    return {
      name: column.name,
      oid: Number(oid ?? column.oid),
      modifier: column.modifier >= 0 || !modifier ? column.modifier : Number(modifier),
      ...(item == null ? {} : { item: Number(item) }),
    };
  });
}

const TEXT_ARRAY = 1009;
const parseArray = types.getTypeParser(TEXT_ARRAY as number) as (text: string) => unknown;

/** The text of a value in a change file: arrays as JSON of texts, other values as the source writes them. */
export function storedText(column: ShapeColumn, text: string | null): string | null {
  return text !== null && column.item !== undefined ? JSON.stringify(parseArray(text)) : text;
}
