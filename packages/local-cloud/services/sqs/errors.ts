import type { Denial, DenialReason } from '../../core/access/denial.ts';
import { AwsError } from '../../core/aws-error.ts';
import type { FaultErrors } from '../../core/operations.ts';

/** Error codes of the older query protocol, which SQS still sends in `x-amzn-query-error`, if they differ. */
const QUERY_CODES: Record<string, string> = {
  AccessDeniedException: 'AccessDenied',
  BatchEntryIdsNotDistinct: 'AWS.SimpleQueueService.BatchEntryIdsNotDistinct',
  BatchRequestTooLong: 'AWS.SimpleQueueService.BatchRequestTooLong',
  EmptyBatchRequest: 'AWS.SimpleQueueService.EmptyBatchRequest',
  InvalidBatchEntryId: 'AWS.SimpleQueueService.InvalidBatchEntryId',
  PurgeQueueInProgress: 'AWS.SimpleQueueService.PurgeQueueInProgress',
  QueueDeletedRecently: 'AWS.SimpleQueueService.QueueDeletedRecently',
  QueueDoesNotExist: 'AWS.SimpleQueueService.NonExistentQueue',
  QueueNameExists: 'QueueAlreadyExists',
  TooManyEntriesInBatchRequest: 'AWS.SimpleQueueService.TooManyEntriesInBatchRequest',
  UnsupportedOperationException: 'AWS.SimpleQueueService.UnsupportedOperation',
  InvalidParameterValueException: 'InvalidParameterValue',
  MissingRequiredParameterException: 'MissingParameter',
};

/** SQS reports denials with the codes of its older protocol. */
const DENIAL_CODES: Record<DenialReason, string> = {
  incomplete: 'IncompleteSignature',
  unknownKey: 'InvalidClientTokenId',
  invalidToken: 'InvalidClientTokenId',
  expiredToken: 'ExpiredToken',
  skewed: 'SignatureDoesNotMatch',
  mismatch: 'SignatureDoesNotMatch',
};

export function denialError({ reason, message }: Denial): AwsError {
  return new AwsError(DENIAL_CODES[reason], message, { status: 403 });
}

/** `AWS.SimpleQueueService.NonExistentQueue` for `QueueDoesNotExist`. */
export function queryCode(error: AwsError): string {
  return QUERY_CODES[error.code] ?? error.code;
}

export function queueDoesNotExist(): AwsError {
  return new AwsError('QueueDoesNotExist', 'The specified queue does not exist.');
}

export function invalidParameter(message: string): AwsError {
  return new AwsError('InvalidParameterValueException', message);
}

/** `Value 11 for parameter MaxNumberOfMessages is invalid. Reason: …` */
export function invalidValue(parameter: string, value: unknown, reason: string): AwsError {
  return invalidParameter(`Value ${String(value)} for parameter ${parameter} is invalid. Reason: ${reason}`);
}

export function invalidAttributeValue(name: string, reason?: string): AwsError {
  return new AwsError(
    'InvalidAttributeValue',
    `Invalid value for the parameter ${name}.${reason === undefined ? '' : ` Reason: ${reason}`}`,
  );
}

export function unknownAttribute(name: string): AwsError {
  return new AwsError('InvalidAttributeName', `Unknown Attribute ${name}.`);
}

export function missingParameter(name: string): AwsError {
  return new AwsError('MissingRequiredParameterException', `The request must contain the parameter ${name}.`);
}

export function resourceNotFound(message: string): AwsError {
  return new AwsError('ResourceNotFoundException', message, { status: 404 });
}

export const faultErrors: FaultErrors = {
  throttled: () => new AwsError('RequestThrottled', 'Request is throttled.', { status: 403 }),
  internal: () =>
    new AwsError('InternalFailure', 'We encountered an internal error. Please try again.', { status: 500 }),
};

/** Checks an optional whole number. Throws `InvalidParameterValue`. */
export function checkRange(name: string, value: number | undefined, min: number, max: number, reason: string): void {
  if (value === undefined) return;
  if (!Number.isInteger(value) || value < min || value > max) throw invalidValue(name, value, reason);
}
