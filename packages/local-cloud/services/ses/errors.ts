import { AwsError } from '../../core/aws-error.ts';
import type { FaultErrors } from '../../core/operations.ts';
import type { RestErrors } from '../../core/rest-json.ts';

export const badRequest = (message: string): AwsError => new AwsError('BadRequestException', message);

export const rejected = (addresses: readonly string[]): AwsError =>
  new AwsError(
    'MessageRejected',
    `Email address is not verified. The following identities failed the check: ${addresses.join(', ')}`,
  );

export const faultErrors: FaultErrors = {
  throttled: () => new AwsError('TooManyRequestsException', 'Maximum sending rate exceeded.', { status: 429 }),
  internal: () => new AwsError('InternalServiceErrorException', 'Internal service error.', { status: 500 }),
};

export const restErrors: RestErrors = {
  malformed: () => badRequest('The request body is not valid JSON.'),
  internal: (detail) => new AwsError('InternalServiceErrorException', detail, { status: 500 }),
  body: ({ message, fields }) => ({ message, ...fields }),
};
