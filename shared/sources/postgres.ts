export {
  type ConnectionTest,
  listColumns,
  listSchemas,
  listTables,
  type SourceColumn,
  type SourceTable,
  testConnection,
} from './postgres-catalog.ts';
export {
  connectPostgres,
  type PostgresConfig,
  type PostgresSource,
  type PostgresTimeouts,
} from './postgres-connection.ts';
export { extractToParquet, type PostgresExtract } from './postgres-extract.ts';
export type { ExtractResult } from './text-rows.ts';
