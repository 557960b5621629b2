import { isAboutValue } from '../duckdb/duckdb-errors.ts';

/** In place of messages that quote values, for readers who may not be allowed to see the rows. */
const INVALID_VALUE = 'A value cannot be converted, or is out of range.';

/** The message of an error without values of rows. */
export const messageWithoutValues = (error: Error): string => (quotesValue(error) ? INVALID_VALUE : error.message);

/** Whether the error, or what has caused it, is about a value, which engines and databases quote. */
export function quotesValue(error: Error): boolean {
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause)
    if (isAboutValue(cause) || isReportOfValue(cause)) return true;
  return false;
}

/** Classes of SQLSTATE about connections, statements, names and limits. Others, such as of casts, are about values. */
const WITHOUT_VALUES = ['08', '25', '26', '28', '34', '3D', '3F', '40', '42', '53', '54', '55', '57', '58'];

/** Whether the error is one of a server of Postgres or MySQL about a value, such as of a cast in a view. */
function isReportOfValue(cause: Error): boolean {
  const { severity, code, sqlState } = cause as { severity?: string; code?: string; sqlState?: string };
  const state = severity === undefined ? sqlState : code;
  return state !== undefined && !WITHOUT_VALUES.includes(state.slice(0, 2));
}
