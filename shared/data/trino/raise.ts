import { quoteLiteral } from '../duckdb/quoting.ts';

/**
 * An expression without a value that fails the statement when a row reaches it. Trino has no function for it that may be called:
 * a text that is no truth value stands for it, and the failure tells the text. It ends in what the row holds, since an
 * expression of constants alone may be worked out before there is a row.
 */
export const raise = (message: string, held: string) =>
  `CASE WHEN CAST(${quoteLiteral(`${message}: `)} || coalesce(CAST(${held} AS varchar), '') AS boolean) THEN NULL END`;

/** The value, where the condition holds or is not known; otherwise the statement fails. */
export const where = (condition: string, value: string, message: string) =>
  `CASE WHEN NOT (${condition}) THEN ${raise(message, value)} ELSE ${value} END`;
