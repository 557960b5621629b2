import { AppError } from '../../../../shared/platform/errors/app-error.ts';
import { type ErrorCode, errorKind } from '../../../../shared/platform/errors/catalogue.ts';

/** What is wrong with the query, and not with its rows. */
export const isOfQuery = (code: ErrorCode): boolean => code === 'CHART_SPEC_INVALID' || errorKind(code) === 'notFound';

/** The places of issues as the caller of an operation with a `query` knows them. */
export function ofRequest(error: unknown): unknown {
  if (!(error instanceof AppError) || error.code !== 'CHART_SPEC_INVALID') return error;
  const errors = error.errors.map((issue) => ({ ...issue, pointer: issue.pointer.replace(/^\/chartSpec/, '') }));
  return new AppError('VALIDATION_FAILED', { errors, cause: error });
}
