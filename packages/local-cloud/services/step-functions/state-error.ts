import type { Failure } from './frame.ts';

/**
 * The failure of a state: an error name that Retry and Catch match (`States.Timeout`, `Lambda.ServiceException`, a
 * function's own error type) and a cause.
 */
export class StateError extends Error {
  readonly error: string;
  readonly errorCause: string | undefined;
  /** The field of the failed expression, for an evaluation error. */
  readonly location: string | undefined;

  constructor(error: string, cause?: string, location?: string) {
    super(cause ?? error);
    this.error = error;
    this.errorCause = cause;
    this.location = location;
  }
}

/** The error in the form stored with a position. */
export function failure(error: StateError): Failure {
  return { error: error.error, ...(error.errorCause !== undefined && { cause: error.errorCause }) };
}
