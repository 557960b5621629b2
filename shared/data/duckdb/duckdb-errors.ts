import { DataError, type DataErrorCode, positionAtByte } from '../../platform/errors/data-error.ts';

/** The place of the author's SQL within the statement that was run. */
export interface SqlPlace {
  sql: string;
  /** Number of UTF-8 bytes before it. */
  bytesBefore: number;
}

interface ReportedError {
  exception_type?: string;
  exception_message?: string;
  position?: string;
}

const CODES: Record<string, DataErrorCode> = {
  Parser: 'SQL_PARSE',
  Syntax: 'SQL_PARSE',
  Interrupt: 'QUERY_TIMEOUT',
  INTERRUPT: 'QUERY_TIMEOUT',
  'Out of Memory': 'OUT_OF_MEMORY',
  Permission: 'PERMISSION_DENIED',
  IO: 'FILE_UNREADABLE',
};

const SENTENCES: Partial<Record<DataErrorCode, string>> = {
  QUERY_TIMEOUT: 'The query was stopped before it finished.',
  OUT_OF_MEMORY: 'The query needs more memory than it may use.',
  PERMISSION_DENIED: 'The query must not access files or change settings.',
};

/** Translates an error of DuckDB (with `errors_as_json` on) into a DataError. Paths of the machine are removed. */
export function toDataError(cause: unknown, place?: SqlPlace): DataError {
  if (cause instanceof DataError) return cause;
  const reported = reportedError(cause);
  const code = CODES[reported.exception_type ?? ''] ?? 'SQL_ERROR';
  const message = SENTENCES[code] ?? withoutPaths(reported.exception_message ?? 'The query failed.');
  const offset = place && reported.position !== undefined ? Number(reported.position) - place.bytesBefore : -1;
  const position =
    place && offset >= 0 && offset <= Buffer.byteLength(place.sql)
      ? { position: positionAtByte(place.sql, offset) }
      : {};
  return new DataError(code, message, { issues: [{ code, message, ...position }], cause });
}

const OF_VALUES = new Set(['Conversion', 'Invalid Input', 'Out of Range', 'Mismatch Type', 'Constraint']);

/** Whether an error of DuckDB is about a value, which its message then quotes. */
export function isAboutValue(cause: unknown): boolean {
  const { exception_type: type = '', exception_message: message = '' } = reportedError(cause);
  // Invalid patterns are reported as the same type of exception, without a value.
  return OF_VALUES.has(type) && (type !== 'Invalid Input' || /["']/.test(message));
}

/** The message is JSON, after the exception's name if DuckDB raised the error while parsing. */
function reportedError(cause: unknown): ReportedError {
  const text = cause instanceof Error ? cause.message : String(cause);
  const start = text.indexOf('{');
  if (start >= 0) {
    try {
      return JSON.parse(text.slice(start)) as ReportedError;
    } catch {
      // A plain message that contains a brace.
    }
  }
  const named = /^(\w[\w ]*?) Error: ([\s\S]*)$/.exec(text);
  return named ? { exception_type: named[1]!, exception_message: named[2]! } : { exception_message: text };
}

/** Replaces absolute paths by the file's name, so that the message stays useful and does not reveal the machine. */
function withoutPaths(message: string): string {
  return message.replace(/(?<![\w.])\/(?:[\w.@+-]+\/)+([\w.@+-]+)/g, '$1');
}
