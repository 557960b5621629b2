import { ERRORS, type ErrorCode } from './catalogue.ts';

/** One issue of an input, with its place as a JSON pointer (RFC 6901), such as `/dag/steps/3/dependsOn/0`. */
export interface Issue {
  pointer: string;
  code: string;
  message: string;
  /** The position within a text, such as SQL: line and column count from 1, the offset in UTF-16 units from 0. */
  position?: { line: number; column: number; offset: number };
}

interface AppErrorOptions {
  /** The specific problem, for the client; the catalogue's sentence when absent. */
  detail?: string;
  /** Every issue of the input. */
  errors?: readonly Issue[];
  retryAfterSeconds?: number;
  /** The methods that the endpoint offers, with `METHOD_NOT_ALLOWED`. */
  allow?: readonly string[];
  /** Further public members of the problem document, such as `referencedBy`. */
  members?: Record<string, unknown>;
  /** For the log only. */
  cause?: unknown;
}

/** An error whose code and message the client may see. Anything else that is thrown becomes a bare `INTERNAL`. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly errors: readonly Issue[];
  readonly retryAfterSeconds: number | undefined;
  readonly allow: readonly string[] | undefined;
  readonly members: Record<string, unknown>;

  constructor(code: ErrorCode, options: AppErrorOptions = {}) {
    super(options.detail ?? ERRORS[code][1], { cause: options.cause });
    this.name = 'AppError';
    this.code = code;
    this.errors = options.errors ?? [];
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.allow = options.allow;
    this.members = options.members ?? {};
  }

  /** The same error with other issues. */
  withErrors(errors: readonly Issue[], detail = this.message): AppError {
    const { retryAfterSeconds, allow, members, cause } = this;
    return new AppError(this.code, {
      ...{ detail, errors, members, cause },
      ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
      ...(allow === undefined ? {} : { allow }),
    });
  }
}
