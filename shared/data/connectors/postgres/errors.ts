import { DataError, type DataErrorCode, positionAt } from '../../../platform/errors/data-error.ts';
import { connectionError } from '../connection/connection-errors.ts';

/** SQLSTATE codes, then their classes. */
const BY_STATE: Record<string, DataErrorCode> = {
  '28000': 'AUTH_FAILED',
  '28P01': 'AUTH_FAILED',
  '3D000': 'NOT_FOUND',
  '3F000': 'NOT_FOUND',
  '42P01': 'NOT_FOUND',
  '42501': 'PERMISSION_DENIED',
  '42601': 'SQL_PARSE',
  '42703': 'SCHEMA_MISMATCH',
  '25006': 'SQL_NOT_READ_ONLY',
  '55P03': 'TIMEOUT',
  '57014': 'TIMEOUT',
  '08': 'CONNECTION_FAILED',
  '28': 'AUTH_FAILED',
  '53': 'CONNECTION_FAILED',
  '57': 'CONNECTION_FAILED',
};

/**
 * Translates an error of pg, Postgres or the socket into a DataError. `sql` is the user's text, for the place of an
 * issue in it; `before` is the number of characters that were sent in front of it.
 */
export function toSourceError(cause: unknown, sql?: string, before = 0): DataError {
  if (cause instanceof DataError) return cause;
  const { code = '', message = '', position, severity } = (cause ?? {}) as Record<string, string | undefined>;
  if (severity !== undefined || /^[0-9A-Z]{5}$/.test(code)) {
    const mapped = BY_STATE[code] ?? BY_STATE[code.slice(0, 2)] ?? 'SQL_ERROR';
    const place = sql !== undefined && position ? { position: positionAt(sql, Number(position) - 1 - before) } : {};
    return new DataError(mapped, message, { cause, issues: [{ code: mapped, message, ...place }] });
  }
  if (/timeout expired/.test(message)) return new DataError('TIMEOUT', 'The server did not answer in time.', { cause });
  const broken = connectionError(cause);
  if (broken) return broken;
  if (/SASL|password|authentication/i.test(message)) {
    return new DataError('AUTH_FAILED', 'The server requires an authentication method that is not supported.', {
      cause,
    });
  }
  return new DataError(
    'CONNECTION_FAILED',
    'The server closed the connection or does not speak the Postgres protocol.',
    {
      cause,
    },
  );
}

/** Whether the server itself reported the failure, so that the connection can still be used. */
export const isPostgresReport = (error: unknown) => (error as { severity?: string } | null)?.severity !== undefined;
