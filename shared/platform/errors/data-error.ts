/** Errors of the data layer by how callers react: retry, report to the author of the SQL, or give up. */
export type DataErrorCode =
  | 'SQL_PARSE'
  | 'SQL_NOT_READ_ONLY'
  | 'SQL_ERROR'
  | 'CODE_ERROR'
  | 'QUERY_TIMEOUT'
  | 'OUT_OF_MEMORY'
  /** Which rows the caller may see cannot be found out. */
  | 'RLS_ERROR'
  | 'RESULT_TOO_LARGE'
  | 'FILE_UNREADABLE'
  | 'SCHEMA_MISMATCH'
  /** A column would become null throughout, because none of its values can be kept. */
  | 'VALUES_LOST'
  | 'CONNECTION_FAILED'
  | 'AUTH_FAILED'
  | 'PERMISSION_DENIED'
  | 'NOT_FOUND'
  | 'ADDRESS_BLOCKED'
  | 'TIMEOUT'
  /** The machine had no time for the work; try again. */
  | 'SERVICE_BUSY';

/** A position in a text: `line` and `column` count from 1, `offset` counts UTF-16 units from 0. */
export interface TextPosition {
  line: number;
  column: number;
  offset: number;
}

export interface DataIssue {
  code: DataErrorCode;
  message: string;
  position?: TextPosition;
}

/** An error of the data layer with a stable code; `issues` lists every issue of the input if there are several. */
export class DataError extends Error {
  readonly code: DataErrorCode;
  readonly issues: readonly DataIssue[];

  constructor(code: DataErrorCode, message: string, options: { issues?: readonly DataIssue[]; cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.name = 'DataError';
    this.code = code;
    this.issues = options.issues ?? [{ code, message }];
  }

  /** Creates one error for several issues; the first one determines the code and the message. */
  static ofIssues(issues: readonly DataIssue[]): DataError {
    const [first] = issues;
    if (!first) throw new TypeError('an error needs at least one issue');
    return new DataError(first.code, first.message, { issues });
  }
}

/** The line and column of a UTF-16 offset in a text; an offset beyond the end is treated as the end. */
export function positionAt(text: string, offset: number): TextPosition {
  const at = Math.min(Math.max(offset, 0), text.length);
  const before = text.slice(0, at);
  const line = before.split('\n').length;
  return { line, column: at - (before.lastIndexOf('\n') + 1) + 1, offset: at };
}

/** The same for a UTF-8 byte offset, which DuckDB and Postgres use. */
export function positionAtByte(text: string, byteOffset: number): TextPosition {
  return positionAt(text, Buffer.from(text, 'utf8').subarray(0, Math.max(byteOffset, 0)).toString('utf8').length);
}

export interface SqlIssue {
  code: string;
  message: string;
  position?: TextPosition;
}
