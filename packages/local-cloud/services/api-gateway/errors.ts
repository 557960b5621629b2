import { AwsError } from '../../core/aws-error.ts';
import type { FaultErrors } from '../../core/operations.ts';
import type { RestErrors } from '../../core/rest-json.ts';

export function badRequest(message: string): AwsError {
  return new AwsError('BadRequestException', message);
}

export function notFound(message: string): AwsError {
  return new AwsError('NotFoundException', message, { status: 404 });
}

export function conflict(message: string): AwsError {
  return new AwsError('ConflictException', message, { status: 409 });
}

export const faultErrors: FaultErrors = {
  throttled: () => new AwsError('TooManyRequestsException', 'Too Many Requests', { status: 429 }),
  internal: () => new AwsError('InternalServerErrorException', 'Internal server error', { status: 500 }),
};

export const restErrors: RestErrors = {
  malformed: () => badRequest('Invalid request body'),
  internal: (detail) => new AwsError('InternalServerErrorException', detail, { status: 500 }),
  body: ({ message, fields }) => ({ message, ...fields }),
};
