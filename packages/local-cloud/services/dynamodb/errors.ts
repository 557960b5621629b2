import { AwsError } from '../../core/aws-error.ts';

/** The error of a malformed or impossible request. */
export function invalid(message: string): AwsError {
  return new AwsError('ValidationException', message);
}

/**
 * An item or key that does not fit its table. Outside a transaction it is an ordinary `ValidationException`; inside one
 * it becomes a cancellation reason.
 */
export class SchemaMismatch extends AwsError {
  constructor(message: string) {
    super('ValidationException', message);
  }
}

/** A `ValidationException` with AWS's message for invalid parameter values. */
export function invalidParameter(what: string): AwsError {
  return invalid(`One or more parameter values were invalid: ${what}`);
}

export function notFound(message = 'Requested resource not found'): AwsError {
  return new AwsError('ResourceNotFoundException', message);
}

export function inUse(message: string): AwsError {
  return new AwsError('ResourceInUseException', message);
}

/** A failed condition; `item` is the stored item, if the caller requested it. */
export function conditionFailed(item?: unknown): AwsError {
  return new AwsError('ConditionalCheckFailedException', 'The conditional request failed', {
    fields: item === undefined ? {} : { Item: item },
  });
}
