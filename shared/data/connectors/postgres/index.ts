export type { ExtractResult } from '../rows/text-rows.ts';
export {
  listColumns,
  listSchemas,
  listTables,
  openPostgres,
} from './catalog.ts';
export {
  connectPostgres,
  type PostgresSource,
  type PostgresTarget,
} from './connection.ts';
export { extractToParquet, type PostgresExtract } from './extract.ts';
export { type TestedTable, type TestsOfTable, testInPostgres } from './test-table.ts';
