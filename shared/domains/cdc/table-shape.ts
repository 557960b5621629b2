import { types } from 'pg';
import type { PostgresSource } from '../../data/connectors/postgres/connection.ts';
import { DataError } from '../../platform/errors/data-error.ts';
import { partsOf } from './record.ts';

/** A column as change files have it: what is needed to read its texts again without the source. */
export interface ShapeColumn {
  name: string;
  oid: number;
  modifier: number;
  /** The type of the items of an array, whose texts are JSON here. */
  item?: number;
}

export interface Shape {
  columns: ShapeColumn[];
  /** Names of the columns that tell rows apart; null when only the whole row does. */
  key: string[] | null;
}

/** A table in the source, for reading rows of it. */
export interface SourceTableShape extends Shape {
  oid: number;
  /** SQL types of the key's columns, in its order. */
  keyTypes: string[];
}

/**
 * A table with the columns that its publication carries. Its key is what the log tells of rows that go: the index that was chosen as
 * its identity, or else the primary key. Throws NOT_FOUND.
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
  if (!first) throw new DataError('NOT_FOUND', `There is no table ${name}.`);
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
    columns: await resolved(source, columns),
    key: keyed.length > 0 ? keyed.map(([, column]) => String(column)) : null,
    keyTypes: keyed.map(([, , , , type]) => String(type)),
  };
}

/** Types by their own ids: a domain is read as what it is made of, an array by its items. */
export async function resolved(source: PostgresSource, columns: readonly ShapeColumn[]): Promise<ShapeColumn[]> {
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

/** The text of a value as change files hold it: arrays as JSON of texts, all else as the source writes it. */
export function storedText(column: ShapeColumn, text: string | null): string | null {
  return text !== null && column.item !== undefined ? JSON.stringify(parseArray(text)) : text;
}
