import { AwsError } from '../../core/aws-error.ts';
import type { RestErrors } from '../../core/rest-json.ts';

export const restErrors: RestErrors = {
  malformed: (detail) =>
    new AwsError('InvalidRequestContentException', `Could not parse request body into json: ${detail}`),
  internal: (detail) => new AwsError('ServiceException', detail, { status: 500, fields: { Type: 'Service' } }),
  body: ({ message, fields }) => ({ Type: 'User', message, ...fields }),
};
