import { AwsError } from '../../../core/aws-error.ts';
import { StateError } from '../state-error.ts';

/**
 * A called service's error under Step Functions' name for it: `Lambda.TooManyRequestsException`,
 * `Sqs.QueueDoesNotExistException`, …
 */
export function serviceError(prefix: 'Lambda' | 'Sqs' | 'Sfn' | 'ECS', error: unknown): StateError {
  if (error instanceof StateError) return error;
  if (!(error instanceof AwsError)) return new StateError(`${prefix}.SdkClientException`, String(error));
  if (error.code === 'AccessDeniedException') return new StateError('States.Permissions', error.message);
  const cause = `${error.message} (Service: ${prefix}, Status Code: ${error.status})`;
  if (prefix === 'Lambda' && error.status >= 500) return new StateError('Lambda.ServiceException', cause);
  return new StateError(`${prefix}.${exceptionName(error.code)}`, cause);
}

/** Wire codes such as `AWS.SimpleQueueService.NonExistentQueue` or `QueueDoesNotExist` become SDK exception names. */
function exceptionName(code: string): string {
  const name = code.slice(code.lastIndexOf('.') + 1);
  return name.endsWith('Exception') ? name : `${name}Exception`;
}

/** Members that every optimized integration adds to the service's reply. */
export function sdkMetadata(statusCode: number): {
  SdkHttpMetadata: { HttpStatusCode: number };
} {
  return { SdkHttpMetadata: { HttpStatusCode: statusCode } };
}
