import * as Type from 'typebox';
import { AppError } from '../errors/app-error.ts';
import { ERRORS, type ErrorCode, type ErrorKind, errorKind } from '../errors/catalogue.ts';
import type { Lines } from './lines.ts';

const STATUS: Record<ErrorKind, number> = {
  invalid: 400,
  unauthenticated: 401,
  forbidden: 403,
  notFound: 404,
  methodNotAllowed: 405,
  notAcceptable: 406,
  timeout: 408,
  conflict: 409,
  stale: 412,
  tooLarge: 413,
  unsupportedMedia: 415,
  unprocessable: 422,
  locked: 423,
  tooMany: 429,
  internal: 500,
  badGateway: 502,
  unavailable: 503,
};

export function statusOf(code: ErrorCode): number {
  return STATUS[errorKind(code)];
}

/** A problem document as in RFC 9457, with a stable `code` and every issue of the input in `errors`. */
export const Problem = Type.Object(
  {
    type: Type.String({ description: 'A URN with the code.' }),
    title: Type.String({ description: 'The meaning of the code.' }),
    status: Type.Integer({ description: 'The status of the reply.' }),
    detail: Type.String({ description: 'What went wrong in this request.' }),
    instance: Type.String({ description: 'The path of the request.' }),
    code: Type.String({ description: 'A stable code, such as `VALIDATION_FAILED`. Each operation lists its codes.' }),
    requestId: Type.String(),
    errors: Type.Array(
      Type.Object({
        pointer: Type.String({
          description: 'The place in the request: a JSON pointer such as `/dag/steps/3/dependsOn/0`.',
        }),
        code: Type.String(),
        message: Type.String(),
        position: Type.Optional(
          Type.Object(
            { line: Type.Integer(), column: Type.Integer(), offset: Type.Integer() },
            { description: 'The position within a text, such as SQL; line and column count from 1.' },
          ),
        ),
      }),
      { description: 'Every issue of the request.' },
    ),
  },
  { $id: 'Problem', description: 'A problem document (RFC 9457).' },
);

export interface HttpReply {
  statusCode: number;
  headers: Record<string, string>;
  /** Text, or bytes in base64. */
  body: string;
  isBase64Encoded?: boolean;
  /** Sends the body; only for `streamReplies`. */
  lines?: Lines;
}

const THROTTLED = new Set([
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
  'ThrottlingException',
  'TooManyRequestsException',
  'SlowDown',
]);
const THROTTLED_REASONS = new Set(['ThrottlingError', 'ProvisionedThroughputExceeded']);

/** Requests to AWS that were throttled until the client gave up; a later retry may succeed. */
function isThrottled(thrown: unknown): boolean {
  if (!(thrown instanceof Error)) return false;
  const reasons = (thrown as { CancellationReasons?: { Code?: string }[] }).CancellationReasons ?? [];
  return THROTTLED.has(thrown.name) || reasons.some(({ Code = '' }) => THROTTLED_REASONS.has(Code));
}

/** Renders any thrown value. For errors that are not an `AppError` it reveals only the request id. */
export function renderProblem(thrown: unknown, place: { path: string; requestId: string }): HttpReply {
  const error = thrown instanceof AppError ? thrown : new AppError(isThrottled(thrown) ? 'SERVICE_BUSY' : 'INTERNAL');
  const status = statusOf(error.code);
  const retryAfter = error.retryAfterSeconds ?? (status === 503 ? 5 : status === 429 ? 60 : undefined);
  return {
    statusCode: status,
    headers: {
      'content-type': 'application/problem+json',
      ...(retryAfter === undefined ? {} : { 'retry-after': String(Math.ceil(retryAfter)) }),
      ...(error.allow ? { allow: error.allow.join(', ') } : {}),
      ...(status === 401 ? { 'www-authenticate': 'Bearer' } : {}),
    },
    body: JSON.stringify({
      ...error.members,
      type: `urn:problem:${error.code.toLowerCase().replaceAll('_', '-')}`,
      title: ERRORS[error.code][1],
      status,
      detail: error.message,
      instance: place.path,
      code: error.code,
      requestId: place.requestId,
      errors: error.errors,
    }),
  };
}
