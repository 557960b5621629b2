import { DataError, type DataErrorCode } from '../../../platform/errors/data-error.ts';
import { connectionError } from '../connection/connection-errors.ts';

/** The server's error numbers (https://mariadb.com/kb/en/mariadb-error-code-reference). */
const BY_NUMBER: Record<number, DataErrorCode> = {
  1040: 'CONNECTION_FAILED',
  1044: 'PERMISSION_DENIED',
  1045: 'AUTH_FAILED',
  1049: 'NOT_FOUND',
  1053: 'CONNECTION_FAILED',
  1054: 'SCHEMA_MISMATCH',
  1064: 'SQL_PARSE',
  1142: 'PERMISSION_DENIED',
  1143: 'PERMISSION_DENIED',
  1146: 'NOT_FOUND',
  1203: 'CONNECTION_FAILED',
  1205: 'TIMEOUT',
  1227: 'PERMISSION_DENIED',
  1251: 'AUTH_FAILED',
  1290: 'PERMISSION_DENIED',
  1317: 'TIMEOUT',
  1792: 'SQL_NOT_READ_ONLY',
  1969: 'TIMEOUT',
  3024: 'TIMEOUT',
};

interface Report {
  code: string;
  message: string;
  errno: number;
  sqlState: string;
}

/** Translates an error of mysql2, the server or the socket into a DataError. */
export function toMysqlError(cause: unknown): DataError {
  if (cause instanceof DataError) return cause;
  const { code = '', message = '', errno = 0, sqlState } = (cause ?? {}) as Partial<Report>;
  if (sqlState !== undefined) {
    return new DataError(BY_NUMBER[errno] ?? 'SQL_ERROR', message.slice(0, 1000), { cause });
  }
  const broken = connectionError(cause);
  if (broken) return broken;
  if (/AUTH|plugin/i.test(`${code} ${message}`)) {
    return new DataError('AUTH_FAILED', 'The server requires an authentication method that is not supported.', {
      cause,
    });
  }
  return new DataError('CONNECTION_FAILED', 'The server closed the connection or does not speak the MySQL protocol.', {
    cause,
  });
}

/** Whether the server itself reported the failure, so that the connection can still be used. */
export const isMysqlReport = (error: unknown) => (error as { sqlState?: string } | null)?.sqlState !== undefined;
