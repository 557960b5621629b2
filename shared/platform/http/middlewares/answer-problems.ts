import type { Logger } from '@aws-lambda-powertools/logger';
import { AppError } from '../../errors/app-error.ts';
import { renderProblem } from '../problem.ts';
import type { ApiMiddleware } from './request-value.ts';

/**
 * Converts any thrown error to a problem document. Errors that are not an `AppError` are logged in full and answered
 * with a bare 500.
 */
export function answerProblems(log: Logger): ApiMiddleware {
  return {
    onError: (request) => {
      const { event, error } = request;
      if (!(error instanceof AppError)) log.error('unexpected failure', { error: error as Error });
      else if (error.cause) log.warn(error.code, { cause: String(error.cause) });
      request.response = renderProblem(error, { path: event.path, requestId: event.requestContext.requestId });
    },
  };
}
