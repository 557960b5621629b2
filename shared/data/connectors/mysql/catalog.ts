import { DataError } from '../../../platform/errors/data-error.ts';
import type {
  ConnectOptions,
  DatabaseConnection,
  ListPart,
  SourceColumn,
  SourceTable,
  TableKind,
} from '../connection/connector.ts';
import { rethrowingTakeErrors } from '../rows/live-rows.ts';
import type { MysqlConfig, MysqlSecrets } from './config.ts';
import { connectMysql, type MysqlSource } from './connection.ts';
import { quoteName } from './names.ts';
import { queryMysql } from './query.ts';
import { mysqlColumns } from './types.ts';

const SYSTEM_SCHEMAS = "('mysql', 'information_schema', 'performance_schema', 'sys')";

/** Connects to a MySQL or MariaDB server. Its databases are presented as schemas. */
export async function openMysql(
  config: MysqlConfig,
  secrets: MysqlSecrets,
  options: ConnectOptions,
): Promise<DatabaseConnection> {
  const source = await connectMysql(config, secrets, options);
  return {
    version: async () => String((await source.query('SELECT VERSION()')).rows[0]?.[0]),
    schemas: () => listSchemas(source),
    tables: (schema, part) => listTables(source, schema, part),
    columns: (schema, table) => listColumns(source, schema, table),
    query: (sql, query, take) => rethrowingTakeErrors(take, (taking) => queryMysql(source, sql, query, taking)),
    get usable() {
      return source.usable;
    },
    stop: () => source.stop(),
    close: () => source.close(),
  };
}

async function listSchemas(source: MysqlSource): Promise<string[]> {
  const { rows } = await source.query(
    `SELECT SCHEMA_NAME FROM information_schema.SCHEMATA WHERE SCHEMA_NAME NOT IN ${SYSTEM_SCHEMAS} ORDER BY 1 LIMIT 10000`,
  );
  return rows.map(([name]) => String(name));
}

/**
 * Engines whose tables return rows of their own only. MERGE, FEDERATED, CONNECT, SPIDER and others return those of
 * other tables.
 */
const STORING = new Set(
  ['InnoDB', 'MyISAM', 'Aria', 'MEMORY', 'ARCHIVE', 'CSV', 'RocksDB', 'TokuDB', 'ColumnStore', 'ndbcluster', 'S3'].map(
    (name) => name.toLowerCase(),
  ),
);

function kindOf(type: string, engine: string): TableKind {
  if (/VIEW/.test(type)) return 'view';
  return STORING.has(engine.toLowerCase()) ? 'table' : 'foreign_table';
}

async function listTables(
  source: MysqlSource,
  schema: string,
  { after = '', limit }: ListPart,
): Promise<SourceTable[]> {
  const { rows } = await source.query(
    `SELECT TABLE_NAME, TABLE_TYPE, CAST(TABLE_ROWS AS CHAR), ENGINE FROM information_schema.TABLES
     WHERE TABLE_SCHEMA = ? AND TABLE_SCHEMA NOT IN ${SYSTEM_SCHEMAS}
       AND CONVERT(TABLE_NAME USING utf8mb4) COLLATE utf8mb4_bin > ?
     ORDER BY CONVERT(TABLE_NAME USING utf8mb4) COLLATE utf8mb4_bin LIMIT ${limit}`,
    [schema, after],
  );
  return rows.map(([name, type, estimate, engine]) => ({
    name: String(name),
    kind: kindOf(String(type), String(engine)),
    estimatedRows: estimate === null ? null : Number(estimate),
  }));
}

async function listColumns(source: MysqlSource, schema: string, table: string): Promise<SourceColumn[]> {
  const { rows } = await source.query(
    `SELECT COLUMN_NAME, CAST(COLUMN_TYPE AS CHAR), IS_NULLABLE, COLUMN_KEY FROM information_schema.COLUMNS
     WHERE TABLE_SCHEMA = ? AND TABLE_NAME = ? AND TABLE_SCHEMA NOT IN ${SYSTEM_SCHEMAS} ORDER BY ORDINAL_POSITION`,
    [schema, table],
  );
  if (rows.length === 0) throw new DataError('NOT_FOUND', 'The table does not exist, or the user may not read it.');
  const { fields } = await source.query(`SELECT * FROM ${quoteName(schema)}.${quoteName(table)} LIMIT 0`);
  const details = new Map(rows.map(([name, ...rest]) => [String(name), rest.map(String)]));
  return mysqlColumns(fields).map(({ name, type }) => {
    const [sourceType = '', nullable, key] = details.get(name) ?? [];
    return { name, type, sourceType, nullable: nullable !== 'NO', primaryKey: key === 'PRI' };
  });
}
