import { AppError, type Issue } from '../../../platform/errors/app-error.ts';

const OF_STATEMENT = /^\/(sql|sourceId|datasetIds)(\/|$)/;

/**
 * An error of a statement that is not in the request, such as that of a saved query or of a question: its issues have
 * no place there. `isShown` says whether positions in the text mean something to the caller.
 */
export function errorOfStatement(error: unknown, { isShown }: { isShown: boolean }): unknown {
  if (!(error instanceof AppError) || !error.errors.some(({ pointer }) => OF_STATEMENT.test(pointer))) return error;
  const errors = error.errors.map((issue): Issue => {
    if (!OF_STATEMENT.test(issue.pointer)) return issue;
    const { position, ...rest } = issue;
    return { ...rest, pointer: '', ...(isShown && position ? { position } : {}) };
  });
  const { code, message: detail, retryAfterSeconds, members } = error;
  return new AppError(code, {
    ...{ detail, errors, members, cause: error },
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  });
}
