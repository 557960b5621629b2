import { AwsError } from '../../core/aws-error.ts';

/** The error of every malformed or impossible request. */
export function invalid(message: string): AwsError {
  return new AwsError('ValidationException', message);
}

/**
 * An item or key that does not fit its table. Alone it is an ordinary `ValidationException`; inside a transaction it is
 * one of the reasons for which that is cancelled.
 */
export class SchemaMismatch extends AwsError {
  constructor(message: string) {
    super('ValidationException', message);
  }
}

/** A `ValidationException` in the wording of wrong parameter values. */
export function invalidParameter(what: string): AwsError {
  return invalid(`One or more parameter values were invalid: ${what}`);
}

export function notFound(message = 'Requested resource not found'): AwsError {
  return new AwsError('ResourceNotFoundException', message);
}

export function inUse(message: string): AwsError {
  return new AwsError('ResourceInUseException', message);
}

/** A condition did not hold; `item` is the stored item, for callers that asked to see it. */
export function conditionFailed(item?: unknown): AwsError {
  return new AwsError('ConditionalCheckFailedException', 'The conditional request failed', {
    fields: item === undefined ? {} : { Item: item },
  });
}
