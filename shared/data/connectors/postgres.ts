export {
  listColumns,
  listSchemas,
  listTables,
  openPostgres,
} from './postgres-catalog.ts';
export {
  connectPostgres,
  type PostgresSource,
  type PostgresTarget,
} from './postgres-connection.ts';
export { extractToParquet, type PostgresExtract } from './postgres-extract.ts';
export type { ExtractResult } from './text-rows.ts';
