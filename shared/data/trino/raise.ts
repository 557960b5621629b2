import { quoteLiteral } from '../duckdb/quoting.ts';

/**
 * An expression that fails the statement when a row reaches it. Athena allows no function for this, so a text that is
 * not a truth value is cast to boolean, and the error quotes the text. It ends with a value of the row, because an
 * expression of constants could be evaluated before there is a row.
 */
export const raise = (message: string, held: string) =>
  `CASE WHEN CAST(${quoteLiteral(`${message}: `)} || coalesce(CAST(${held} AS varchar), '') AS boolean) THEN NULL END`;

/** The value if the condition is true or unknown; otherwise the statement fails. */
export const where = (condition: string, value: string, message: string) =>
  `CASE WHEN NOT (${condition}) THEN ${raise(message, value)} ELSE ${value} END`;
