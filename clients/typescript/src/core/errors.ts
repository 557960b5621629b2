import type { OperationErrors } from '../generated/resources.ts';

/** A place in the request, and what is wrong there. */
export interface Issue {
  /** A JSON pointer, such as `/dag/steps/3/dependsOn/0`. */
  pointer: string;
  code: string;
  message: string;
  position?: { line: number; column: number; offset: number };
}

/** The problem document of a failed request, with the members that only some codes have. */
export interface Problem extends Record<string, unknown> {
  status: number;
  code: string;
  title: string;
  detail: string;
  requestId: string;
  errors: Issue[];
}

/** Anything that a call fails with. */
export class AnalyticsError extends Error {
  override name = 'AnalyticsError';
}

/** There was no reply, or it was cut off. */
export class ConnectionError extends AnalyticsError {
  override name = 'ConnectionError';
}

/** The call took longer than its `timeoutMs`. */
export class TimeoutError extends AnalyticsError {
  override name = 'TimeoutError';
}

/** The API has refused the request, or failed. `code` is stable. */
export class ApiError<Code extends string = string> extends AnalyticsError {
  override name = 'ApiError';
  readonly status: number;
  readonly code: Code;
  readonly errors: readonly Issue[];
  readonly requestId: string;
  readonly problem: Problem;
  readonly headers: Headers;

  constructor(problem: Problem, headers: Headers) {
    const issues = problem.errors.map(({ pointer, message }) => `${pointer || '/'} ${message}`);
    super(
      [`${problem.status} ${problem.code}: ${problem.detail}`, ...issues, `(request ${problem.requestId})`].join('\n'),
    );
    this.status = problem.status;
    this.code = problem.code as Code;
    this.errors = problem.errors;
    this.requestId = problem.requestId;
    this.problem = problem;
    this.headers = headers;
  }
}

export class ValidationError extends ApiError {
  override name = 'ValidationError';
}
export class Unauthenticated extends ApiError {
  override name = 'Unauthenticated';
}
export class Forbidden extends ApiError {
  override name = 'Forbidden';
}
export class NotFound extends ApiError {
  override name = 'NotFound';
}
export class Conflict extends ApiError {
  override name = 'Conflict';
}
export class PreconditionFailed extends ApiError {
  override name = 'PreconditionFailed';
}
export class RateLimited extends ApiError {
  override name = 'RateLimited';
}
export class ServerError extends ApiError {
  override name = 'ServerError';
}

const BY_STATUS: Readonly<Record<number, new (problem: Problem, headers: Headers) => ApiError>> = {
  400: ValidationError,
  401: Unauthenticated,
  403: Forbidden,
  404: NotFound,
  409: Conflict,
  412: PreconditionFailed,
  422: ValidationError,
  429: RateLimited,
};

/** The error of a reply. A proxy may answer with a page instead of a problem document; its beginning is in `detail`. */
export function errorOf(response: Response, text: string): ApiError {
  const { status, headers } = response;
  const of = BY_STATUS[status] ?? (status >= 500 ? ServerError : ApiError);
  return new of({ ...unknownProblem(response, text), ...problemOf(text), status }, headers);
}

const unknownProblem = ({ status, statusText, headers }: Response, text: string): Problem => ({
  status,
  code: 'UNKNOWN',
  title: statusText,
  detail: text.slice(0, 200) || statusText || 'The reply has no content.',
  requestId: headers.get('x-request-id') ?? 'unknown',
  errors: [],
});

function problemOf(text: string): Partial<Problem> {
  try {
    const { code, title, detail, requestId, errors, ...more } = JSON.parse(text) as Problem;
    // SCIM has a shape of its own for errors, without a code.
    return {
      ...more,
      ...(typeof code === 'string' && { code }),
      ...(typeof title === 'string' && { title }),
      ...(typeof detail === 'string' && { detail }),
      ...(typeof requestId === 'string' && { requestId }),
      ...(Array.isArray(errors) && { errors }),
    };
  } catch {
    return {};
  }
}

/**
 * Whether a call has failed with one of these codes: `failedWith<'pipelines.start'>(error, 'RUN_OVERLAP')` accepts only
 * codes that the operation has.
 */
export function failedWith<Name extends keyof OperationErrors>(
  error: unknown,
  ...codes: OperationErrors[Name][]
): error is ApiError<OperationErrors[Name]> {
  return error instanceof ApiError && (codes as string[]).includes(error.code);
}
