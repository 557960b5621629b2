/**
 * The messages of failures in events, by code. The message that the API shows may come from a database, an engine or
 * the code of a step and quote values of rows. Null if every message of the code is our own and contains no values.
 */
const SENTENCES = {
  AUTH_FAILED: 'The data source does not accept the credentials.',
  PERMISSION_DENIED: 'The data source denied permission.',
  NOT_FOUND: 'A table, file or other object does not exist.',
  CONNECTION_FAILED: 'The data source could not be reached, or the connection broke.',
  RATE_LIMITED: 'The data source rejects further requests for now.',
  TIMEOUT: 'It took longer than allowed.',
  SCHEMA_MISMATCH: 'The rows or their columns are not as expected.',
  VALUES_LOST: 'A column would become null throughout.',
  FILE_UNREADABLE: 'A file could not be read in its declared format.',
  SQL_ERROR: 'A statement failed.',
  CODE_ERROR: 'The code of the step failed.',
  OUT_OF_MEMORY: 'It needed more memory than allowed.',
  RESULT_TOO_LARGE: 'A value, a row or the result is larger than allowed.',
  OVERTAKEN: 'Another run has loaded newer rows since.',
  TARGET_MISSING: null,
  TARGET_NOT_EMPTY: null,
  GATE_FAILED: null,
  ALLOWANCE_EXHAUSTED: null,
  SECRET_NOT_FOUND: null,
  RLS_COPY: null,
  WORKER_LOST: null,
  WORKER_UNAVAILABLE: null,
  CANCELLED: null,
  INTERNAL: 'Something went wrong on our side.',
  SLOT_LOST: null,
  WAL_LIMIT: null,
} satisfies Record<string, string | null>;

/** Codes of errors that an event may report. */
export type ReportedErrorCode = keyof typeof SENTENCES;

/** Replaces the message of an error in the data of an event, because it may quote values of rows. */
export function withoutQuotedValues<D extends object>(data: D): D {
  if (!('error' in data) || data.error === null) return data;
  const error = data.error as { code: string; message: string };
  const known = Object.hasOwn(SENTENCES, error.code) ? SENTENCES[error.code as keyof typeof SENTENCES] : 'It failed.';
  return { ...data, error: { ...error, message: known ?? error.message } };
}
