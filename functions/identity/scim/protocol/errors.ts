import { AppError } from '../../../../shared/platform/errors/app-error.ts';
import type { ErrorCode } from '../../../../shared/platform/errors/catalogue.ts';
import { type HttpReply, renderProblem } from '../../../../shared/platform/http/problem.ts';

export const SCIM_TYPE = 'application/scim+json';
export const ERROR_URN = 'urn:ietf:params:scim:api:messages:2.0:Error';

/** The `scimType` of the errors that have one (RFC 7644, table 9). */
const SCIM_TYPES: Partial<Record<ErrorCode, string>> = {
  INVALID_JSON: 'invalidSyntax',
  VALIDATION_FAILED: 'invalidSyntax',
  SCIM_INVALID_SYNTAX: 'invalidSyntax',
  SCIM_INVALID_FILTER: 'invalidFilter',
  SCIM_INVALID_PATH: 'invalidPath',
  SCIM_INVALID_VALUE: 'invalidValue',
  SCIM_NO_TARGET: 'noTarget',
  SCIM_MUTABILITY: 'mutability',
  SCIM_UNIQUENESS: 'uniqueness',
};

/** The error of any thrown value in the form of SCIM. Our own code is in a header, for logs and support. */
export function renderScimError(thrown: unknown, place: { path: string; requestId: string }): HttpReply {
  const problem = renderProblem(thrown, place);
  const { code, detail, errors } = JSON.parse(problem.body) as {
    code: ErrorCode;
    detail: string;
    errors: { pointer: string; message: string }[];
  };
  const details = [detail, ...errors.map(({ pointer, message }) => `${pointer || 'The body'} ${message}.`)];
  const scimType = SCIM_TYPES[code];
  return {
    statusCode: problem.statusCode,
    headers: { ...problem.headers, 'content-type': SCIM_TYPE, 'x-error-code': code },
    body: JSON.stringify({
      schemas: [ERROR_URN],
      status: String(problem.statusCode),
      ...(scimType ? { scimType } : {}),
      detail: details.join(' '),
    }),
  };
}

export const notFound = (what: string, id: string) =>
  new AppError('SCIM_RESOURCE_NOT_FOUND', { detail: `There is no ${what} with the id ${id.slice(0, 100)}.` });

export const uniqueness = (detail: string, cause?: unknown) => new AppError('SCIM_UNIQUENESS', { detail, cause });
