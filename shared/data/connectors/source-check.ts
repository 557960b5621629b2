import { checkPostgresSelect } from '../sql/postgres-check.ts';
import type { DatabaseType } from './database-types.ts';
import { checkMysqlSelect } from './mysql/statement-check.ts';

/**
 * Checks a single SELECT in the dialect of a database. Tables and parameters are not reported for MySQL. Throws
 * SQL_PARSE or SQL_NOT_READ_ONLY.
 */
export async function checkSourceSelect(
  dialect: DatabaseType,
  sql: string,
): Promise<{ sql: string; tables: string[]; parameters: string[] }> {
  if (dialect === 'mysql') return { sql: checkMysqlSelect(sql), tables: [], parameters: [] };
  const { sql: passed, tables, parameterCount } = await checkPostgresSelect(sql);
  return { sql: passed, tables, parameters: Array.from({ length: parameterCount }, (_, index) => String(index + 1)) };
}
