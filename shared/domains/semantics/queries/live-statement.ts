import type { DatabaseType } from '../../../data/connectors/database-types.ts';
import { mysqlParameterNames, mysqlParameters } from '../../../data/connectors/mysql/parameters.ts';
import type { QueryParameters } from '../../../data/duckdb/parameters.ts';
import { parameterNames, positionalParameters } from '../../../data/sql/positional-parameters.ts';
import { AppError } from '../../../platform/errors/app-error.ts';
import type { ErrorCode } from '../../../platform/errors/catalogue.ts';
import { DataError, type DataErrorCode } from '../../../platform/errors/data-error.ts';

/** Accepts a single SELECT in the dialect of a database and throws for anything else. */
export type SourceCheck = (dialect: DatabaseType, sql: string) => Promise<{ sql: string; tables: string[] }>;

/**
 * The checked statement in the form of the database, with the values of its parameters. Throws the errors of the check.
 */
export async function checkedStatement(
  check: SourceCheck,
  dialect: DatabaseType,
  { sql, params }: { sql: string; params: QueryParameters },
) {
  // Parameters in MySQL can be found only after the check, which validates the quotes.
  if (dialect === 'mysql') return mysqlParameters((await check(dialect, sql)).sql, params);
  const { sql: numbered, values } = positionalParameters(sql, params);
  return { sql: (await check(dialect, numbered)).sql, values };
}

/** The tables and parameters of a statement. Throws the errors of the check. */
export async function describeLiveStatement(
  check: SourceCheck,
  dialect: DatabaseType,
  sql: string,
): Promise<{ tables: string[]; parameters: string[] }> {
  if (dialect === 'mysql') {
    const { tables } = await check(dialect, sql);
    return { tables, parameters: mysqlParameterNames(sql) };
  }
  const names = parameterNames(sql);
  const nulls = Object.fromEntries(names.map((name) => [name, null]));
  const { tables } = await check(dialect, positionalParameters(sql, nulls).sql);
  return { tables, parameters: names };
}

/** The codes for errors that the statement has caused; other errors concern the source. */
const STATEMENT_CODES: Partial<Record<DataErrorCode, ErrorCode>> = {
  SQL_PARSE: 'SQL_PARSE',
  SQL_NOT_READ_ONLY: 'SQL_NOT_READ_ONLY',
  SQL_ERROR: 'SQL_ERROR',
  NOT_FOUND: 'SQL_ERROR',
  SCHEMA_MISMATCH: 'SQL_ERROR',
  PERMISSION_DENIED: 'SQL_ERROR',
  RESULT_TOO_LARGE: 'RESULT_TOO_LARGE',
  TIMEOUT: 'QUERY_TIMEOUT',
};

/** Translates an error of a statement at its source into one of the API. */
export function statementError(cause: unknown): unknown {
  if (!(cause instanceof DataError)) return cause;
  const code = STATEMENT_CODES[cause.code];
  if (!code) return unreachable(cause);
  return new AppError(code, {
    cause,
    detail: cause.message,
    errors: cause.issues.map((issue) => ({ pointer: '/sql', ...issue })),
  });
}

/** An error before the statement was sent, which concerns the source. */
export function connectionError(cause: unknown): unknown {
  return cause instanceof DataError ? unreachable(cause) : cause;
}

const unreachable = (cause: DataError) =>
  new AppError('DATA_SOURCE_UNREACHABLE', {
    cause,
    detail: cause.message,
    errors: [{ pointer: '/sourceId', code: cause.code, message: cause.message }],
  });
