import type { Failure } from './frame.ts';

/**
 * The failure of a state: an error name that Retry and Catch match (`States.Timeout`, `Lambda.ServiceException`, a
 * function's own error type) and a cause.
 */
export class StateError extends Error {
  readonly error: string;
  readonly errorCause: string | undefined;
  /** The field whose expression failed, for an evaluation failure. */
  readonly location: string | undefined;

  constructor(error: string, cause?: string, location?: string) {
    super(cause ?? error);
    this.error = error;
    this.errorCause = cause;
    this.location = location;
  }
}

/** The error as it is stored with a position. */
export function failure(error: StateError): Failure {
  return { error: error.error, ...(error.errorCause !== undefined && { cause: error.errorCause }) };
}
