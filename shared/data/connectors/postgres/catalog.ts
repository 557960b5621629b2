import { quoteIdentifier } from '../../duckdb/quoting.ts';
import type {
  ConnectOptions,
  DatabaseConnection,
  ListPart,
  SourceColumn,
  SourceTable,
  TableKind,
} from '../connection/connector.ts';
import { rethrowingTakeErrors } from '../rows/live-rows.ts';
import type { PostgresConfig, PostgresSecrets } from './config.ts';
import { connectPostgres, type PostgresSource, postgresTarget } from './connection.ts';
import { queryPostgres } from './query.ts';
import { postgresColumns } from './types.ts';

/** Connects to a Postgres server. */
export async function openPostgres(
  config: PostgresConfig,
  secrets: PostgresSecrets,
  options: ConnectOptions,
): Promise<DatabaseConnection> {
  const source = await connectPostgres(postgresTarget(config, secrets), options);
  return {
    version: async () => String((await source.query('SHOW server_version')).rows[0]?.[0]),
    schemas: () => listSchemas(source),
    tables: (schema, part) => listTables(source, schema, part),
    columns: (schema, table) => listColumns(source, schema, table),
    query: (sql, query, take) => rethrowingTakeErrors(take, (taking) => queryPostgres(source, sql, query, taking)),
    get usable() {
      return source.usable;
    },
    stop: () => source.stop(),
    close: () => source.close(),
  };
}

/** Schemas that the role may use, without system schemas. */
export async function listSchemas(source: PostgresSource): Promise<string[]> {
  const { rows } = await source.query(
    `SELECT nspname FROM pg_catalog.pg_namespace
     WHERE nspname !~ '^pg_' AND nspname <> 'information_schema' AND has_schema_privilege(oid, 'USAGE') ORDER BY 1 LIMIT 10000`,
  );
  return rows.map(([name]) => String(name));
}

const KINDS: Record<string, TableKind> = {
  r: 'table',
  p: 'table',
  v: 'view',
  m: 'materialized_view',
  f: 'foreign_table',
};

/** Tables and views of a schema that the role may read. Partitions are left out: their tables return their rows. */
export async function listTables(
  source: PostgresSource,
  schema: string,
  { after = '', limit }: ListPart,
): Promise<SourceTable[]> {
  const { rows } = await source.query(
    `WITH RECURSIVE above AS (
       SELECT i.inhrelid AS part, i.inhparent AS parent
       FROM pg_catalog.pg_inherits i JOIN pg_catalog.pg_class c ON c.oid = i.inhrelid
       WHERE c.relkind IN ('r', 'f') AND NOT c.relispartition
       UNION SELECT above.part, i.inhparent FROM above JOIN pg_catalog.pg_inherits i ON i.inhrelid = above.parent)
     SELECT c.relname, c.relkind, CASE WHEN c.reltuples >= 0 THEN c.reltuples::bigint END,
            (SELECT json_agg(json_build_object('schema', pn.nspname, 'table', p.relname) ORDER BY pn.nspname, p.relname)
             FROM above JOIN pg_catalog.pg_class p ON p.oid = above.parent
             JOIN pg_catalog.pg_namespace pn ON pn.oid = p.relnamespace WHERE above.part = c.oid)::text,
            EXISTS (SELECT 1 FROM pg_catalog.pg_inherits i WHERE i.inhparent = c.oid)
     FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
     WHERE n.nspname = $1 AND c.relkind IN ('r', 'p', 'v', 'm', 'f') AND NOT c.relispartition
       AND has_any_column_privilege(c.oid, 'SELECT') AND c.relname::text COLLATE "C" > $2
     ORDER BY c.relname::text COLLATE "C" LIMIT ${limit}`,
    [schema, after],
  );
  return rows.map(([name, kind, estimate, inherits, hasParts]) => ({
    name: String(name),
    kind: KINDS[String(kind)]!,
    ...(typeof inherits === 'string' && { inherits: JSON.parse(inherits) as NonNullable<SourceTable['inherits']> }),
    ...(hasParts === 't' && { hasParts: true as const }),
    estimatedRows: estimate === null || estimate === undefined ? null : Number(estimate),
  }));
}

/** The columns of a table or view. Throws NOT_FOUND if it does not exist. */
export async function listColumns(source: PostgresSource, schema: string, table: string): Promise<SourceColumn[]> {
  const { fields } = await source.query(`SELECT * FROM ${quoteIdentifier(schema)}.${quoteIdentifier(table)} LIMIT 0`);
  const columns = await postgresColumns(source, fields);
  const { rows } = await source.query(
    `SELECT a.attname, pg_catalog.format_type(a.atttypid, a.atttypmod), a.attnotnull,
            EXISTS (SELECT 1 FROM pg_catalog.pg_index i WHERE i.indrelid = a.attrelid AND i.indisprimary AND a.attnum = ANY (i.indkey))
     FROM pg_catalog.pg_attribute a JOIN pg_catalog.pg_class c ON c.oid = a.attrelid JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
     WHERE n.nspname = $1 AND c.relname = $2 AND a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attnum`,
    [schema, table],
  );
  const details = new Map(
    rows.map(([name, sourceType, notNull, key]) => [name, { sourceType: String(sourceType), notNull, key }]),
  );
  return columns.map(({ name, type }) => {
    const { sourceType = '', notNull, key } = details.get(name) ?? {};
    return { name, type, sourceType, nullable: notNull !== 't', primaryKey: key === 't' };
  });
}
