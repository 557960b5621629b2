import { EngineError } from '../engine/engine-error.ts';
import { quoteIdentifier } from '../engine/quoting.ts';
import { connectPostgres, type PostgresSource } from './postgres-connection.ts';
import { postgresColumns } from './postgres-types.ts';

export type ConnectionTest =
  | { ok: true; latencyMs: number; serverVersion: string }
  | { ok: false; code: EngineError['code']; message: string };

/** Logs in, asks one question and leaves. Never throws for what the other side does. */
export async function testConnection(
  ...[config, options]: Parameters<typeof connectPostgres>
): Promise<ConnectionTest> {
  const startedAt = performance.now();
  let source: PostgresSource | undefined;
  try {
    source = await connectPostgres(config, options);
    const { rows } = await source.query('SHOW server_version');
    return { ok: true, latencyMs: Math.round(performance.now() - startedAt), serverVersion: String(rows[0]?.[0]) };
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    return { ok: false, code: error.code, message: error.message };
  } finally {
    await source?.close();
  }
}

/** Schemas that the role may look into, without Postgres' own. */
export async function listSchemas(source: PostgresSource): Promise<string[]> {
  const { rows } = await source.query(
    `SELECT nspname FROM pg_catalog.pg_namespace
     WHERE nspname !~ '^pg_' AND nspname <> 'information_schema' AND has_schema_privilege(oid, 'USAGE') ORDER BY 1`,
  );
  return rows.map(([name]) => String(name));
}

export interface SourceTable {
  name: string;
  kind: 'table' | 'view' | 'materialized_view' | 'foreign_table';
  /** The planner's estimate; null when it was never taken. */
  estimatedRows: number | null;
}

const KINDS: Record<string, SourceTable['kind']> = {
  r: 'table',
  p: 'table',
  v: 'view',
  m: 'materialized_view',
  f: 'foreign_table',
};

/** Tables and views of a schema that the role may read. */
export async function listTables(source: PostgresSource, schema: string): Promise<SourceTable[]> {
  const { rows } = await source.query(
    `SELECT c.relname, c.relkind, CASE WHEN c.reltuples >= 0 THEN c.reltuples::bigint END
     FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
     WHERE n.nspname = $1 AND c.relkind IN ('r', 'p', 'v', 'm', 'f') AND NOT c.relispartition
       AND has_any_column_privilege(c.oid, 'SELECT') ORDER BY 1`,
    [schema],
  );
  return rows.map(([name, kind, estimate]) => ({
    name: String(name),
    kind: KINDS[String(kind)]!,
    estimatedRows: estimate === null || estimate === undefined ? null : Number(estimate),
  }));
}

export interface SourceColumn {
  name: string;
  /** In our vocabulary. */
  type: string;
  /** As the source calls it, such as `character varying(20)`. */
  sourceType: string;
  nullable: boolean;
  primaryKey: boolean;
}

/** The columns of a table or view. Throws NOT_FOUND when there is none of that name. */
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
