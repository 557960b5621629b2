/** What went wrong, as the callers of the data plane sort it: try again, report to the author of the SQL, or give up. */
export type EngineErrorCode =
  | 'SQL_PARSE'
  | 'SQL_NOT_READ_ONLY'
  | 'SQL_ERROR'
  | 'CODE_ERROR'
  | 'QUERY_TIMEOUT'
  | 'OUT_OF_MEMORY'
  | 'RESULT_TOO_LARGE'
  | 'FILE_UNREADABLE'
  | 'SCHEMA_MISMATCH'
  | 'CONNECTION_FAILED'
  | 'AUTH_FAILED'
  | 'PERMISSION_DENIED'
  | 'NOT_FOUND'
  | 'ADDRESS_BLOCKED'
  | 'TIMEOUT';

/** A place in a text: `line` and `column` count from 1, `offset` counts UTF-16 units from 0. */
export interface TextPosition {
  line: number;
  column: number;
  offset: number;
}

export interface EngineFault {
  code: EngineErrorCode;
  message: string;
  position?: TextPosition;
}

/** A failure of the data plane with a stable code; `faults` lists every fault of the input where there are several. */
export class EngineError extends Error {
  readonly code: EngineErrorCode;
  readonly faults: readonly EngineFault[];

  constructor(
    code: EngineErrorCode,
    message: string,
    options: { faults?: readonly EngineFault[]; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause });
    this.name = 'EngineError';
    this.code = code;
    this.faults = options.faults ?? [{ code, message }];
  }

  /** One error for several faults: the first one gives the code and the message. */
  static ofFaults(faults: readonly EngineFault[]): EngineError {
    const [first] = faults;
    if (!first) throw new TypeError('an error needs at least one fault');
    return new EngineError(first.code, first.message, { faults });
  }
}

/** The line and column of a UTF-16 offset in a text; an offset beyond the end is the end. */
export function positionAt(text: string, offset: number): TextPosition {
  const at = Math.min(Math.max(offset, 0), text.length);
  const before = text.slice(0, at);
  const line = before.split('\n').length;
  return { line, column: at - (before.lastIndexOf('\n') + 1) + 1, offset: at };
}

/** The same for a UTF-8 byte offset, which is how DuckDB and Postgres count. */
export function positionAtByte(text: string, byteOffset: number): TextPosition {
  return positionAt(text, Buffer.from(text, 'utf8').subarray(0, Math.max(byteOffset, 0)).toString('utf8').length);
}

export interface SqlFault {
  code: string;
  message: string;
  position?: TextPosition;
}
