import { DataError, type DataErrorCode, positionAtByte } from '../../platform/errors/data-error.ts';

/** Where the author's SQL stands inside of the statement that was really run. */
export interface SqlPlace {
  sql: string;
  /** UTF-8 bytes of our own text before it. */
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
  QUERY_TIMEOUT: 'The query was stopped before it ended.',
  OUT_OF_MEMORY: 'The query needs more memory than it may use.',
  PERMISSION_DENIED: 'The query may not reach files or change settings.',
};

/** Turns what DuckDB throws (with `errors_as_json` on) into an DataError. Paths of the machine never leave. */
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

/** Whether DuckDB has found issue with a value, which its message then quotes. */
export function quotesValue(error: DataError): boolean {
  const { exception_type: type = '', exception_message: message = '' } = reportedError(error.cause);
  // What is wrong with a pattern is told by the same kind, without a value.
  return OF_VALUES.has(type) && (type !== 'Invalid Input' || /["']/.test(message));
}

/** The message comes as JSON, with the exception's name before it when DuckDB already knew it while parsing. */
function reportedError(cause: unknown): ReportedError {
  const text = cause instanceof Error ? cause.message : String(cause);
  const start = text.indexOf('{');
  if (start >= 0) {
    try {
      return JSON.parse(text.slice(start)) as ReportedError;
    } catch {
      // A plain message that happens to hold a brace.
    }
  }
  const named = /^(\w[\w ]*?) Error: ([\s\S]*)$/.exec(text);
  return named ? { exception_type: named[1]!, exception_message: named[2]! } : { exception_message: text };
}

/** Absolute paths are replaced by the file's last name: the message stays useful and tells nothing of the machine. */
function withoutPaths(message: string): string {
  return message.replace(/(?<![\w.])\/(?:[\w.@+-]+\/)+([\w.@+-]+)/g, '$1');
}
