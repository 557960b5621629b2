import { mysqlParameterNames, mysqlParameters } from '../../data/connectors/mysql/parameters.ts';
import type { DatabaseType } from '../../data/connectors/open-database.ts';
import type { QueryParameters } from '../../data/duckdb/parameters.ts';
import { parameterNames, positionalParameters } from '../../data/sql/positional-parameters.ts';
import { AppError } from '../../platform/errors/app-error.ts';
import type { ErrorCode } from '../../platform/errors/catalogue.ts';
import { DataError, type DataErrorCode } from '../../platform/errors/data-error.ts';

/** Passes a single SELECT in the dialect of a database and throws for anything else. */
export type SourceGate = (dialect: DatabaseType, sql: string) => Promise<{ sql: string; tables: string[] }>;

/** The statement as the database takes it, with the values of its parameters. Throws the gate's errors. */
export async function passedStatement(
  gate: SourceGate,
  dialect: DatabaseType,
  { sql, params }: { sql: string; params: QueryParameters },
) {
  // MySQL's parameters are known only once its quotes are: the gate has looked at those.
  if (dialect === 'mysql') return mysqlParameters((await gate(dialect, sql)).sql, params);
  const { sql: numbered, values } = positionalParameters(sql, params);
  return { sql: (await gate(dialect, numbered)).sql, values };
}

/** What a statement reads and which parameters it has. Throws the gate's errors. */
export async function describedStatement(
  gate: SourceGate,
  dialect: DatabaseType,
  sql: string,
): Promise<{ tables: string[]; parameters: string[] }> {
  if (dialect === 'mysql') {
    const { tables } = await gate(dialect, sql);
    return { tables, parameters: mysqlParameterNames(sql) };
  }
  const names = parameterNames(sql);
  const nothing = Object.fromEntries(names.map((name) => [name, null]));
  const { tables } = await gate(dialect, positionalParameters(sql, nothing).sql);
  return { tables, parameters: names };
}

/** Codes of a statement that a source refused; whatever else goes wrong is the source's affair. */
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

/** What became of a statement at its source, in the words of the API. */
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

/** Before the statement was sent nothing can be its issue. */
export function dialError(cause: unknown): unknown {
  return cause instanceof DataError ? unreachable(cause) : cause;
}

const unreachable = (cause: DataError) =>
  new AppError('DATA_SOURCE_UNREACHABLE', {
    cause,
    detail: cause.message,
    errors: [{ pointer: '/sourceId', code: cause.code, message: cause.message }],
  });
