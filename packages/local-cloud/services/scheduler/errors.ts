import { AwsError } from '../../core/aws-error.ts';
import type { FaultErrors } from '../../core/operations.ts';
import type { RestErrors } from '../../core/rest-json.ts';

export function validation(message: string): AwsError {
  return new AwsError('ValidationException', message);
}

export function conflict(message: string): AwsError {
  return new AwsError('ConflictException', message, { status: 409 });
}

export function notFound(message: string): AwsError {
  return new AwsError('ResourceNotFoundException', message, { status: 404 });
}

export const faultErrors: FaultErrors = {
  throttled: () => new AwsError('ThrottlingException', 'Rate exceeded', { status: 429 }),
  internal: () =>
    new AwsError('InternalServerException', 'Unexpected error encountered while processing the request.', {
      status: 500,
    }),
};

export const restErrors: RestErrors = {
  malformed: () => validation('The request body is not valid JSON.'),
  internal: (detail) => new AwsError('InternalServerException', detail, { status: 500 }),
  body: ({ message, fields }) => ({ Message: message, ...fields }),
};
