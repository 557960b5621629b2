import { ERRORS } from '../../shared/platform/errors/catalogue.ts';
import { SECURITY_HEADERS } from '../../shared/platform/http/security-headers.ts';

/** Without the content security policy: a mapping encloses its value in the quotes that the policy itself contains. */
const { 'content-security-policy': _policy, ...SECURITY } = SECURITY_HEADERS;
const PROBLEM_HEADERS = Object.fromEntries(
  Object.entries({ 'content-type': 'application/problem+json', 'access-control-allow-origin': '*', ...SECURITY }).map(
    ([name, value]) => [name, `'${value}'`],
  ),
);

/** The gateway's own error replies, in the format of the functions' problem documents. */
const PROBLEMS = [
  ['MISSING_AUTHENTICATION_TOKEN', 404, 'ROUTE_NOT_FOUND', ERRORS.ROUTE_NOT_FOUND[1]],
  ['REQUEST_TOO_LARGE', 413, 'BODY_TOO_LARGE', ERRORS.BODY_TOO_LARGE[1]],
  ['THROTTLED', 429, 'SERVICE_BUSY', 'There were too many requests. Wait before you send another.'],
  // A throttled function. Sources disagree on the type that the gateway gives it, so both types have the same reply.
  ['INTEGRATION_FAILURE', 503, 'SERVICE_BUSY', ERRORS.SERVICE_BUSY[1]],
  ['API_CONFIGURATION_ERROR', 503, 'SERVICE_BUSY', ERRORS.SERVICE_BUSY[1]],
  ['INTEGRATION_TIMEOUT', 504, 'INTERNAL', 'The service took too long to answer.'],
  ['DEFAULT_4XX', 400, 'VALIDATION_FAILED', 'The request could not be parsed.'],
  ['DEFAULT_5XX', 500, 'INTERNAL', 'Something went wrong on our side.'],
] as const;

function problem(status: number, code: string, title: string): string {
  return JSON.stringify({
    type: `urn:problem:${code.toLowerCase().replaceAll('_', '-')}`,
    title,
    status,
    detail: title,
    instance: '$context.path',
    code,
    requestId: '$context.requestId',
    errors: [],
  });
}

/** They as the OpenAPI document of the gateway has them, by type. */
export const GATEWAY_RESPONSES = Object.fromEntries(
  PROBLEMS.map(([type, status, code, title]) => [
    type,
    {
      statusCode: status,
      responseParameters: Object.fromEntries(
        Object.entries({
          ...PROBLEM_HEADERS,
          ...(code === 'SERVICE_BUSY' && { 'retry-after': "'1'", 'access-control-expose-headers': "'retry-after'" }),
        }).map(([name, value]) => [`gatewayresponse.header.${name}`, value]),
      ),
      responseTemplates: { 'application/json': problem(status, code, title) },
    },
  ]),
);
