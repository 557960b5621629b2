import { DataError } from '../../platform/errors/data-error.ts';

/** SQL that counts the rows without a value, for each of these columns. */
export const nullCounts = (columns: readonly string[]): string =>
  columns.map((column) => `count(*) FILTER (WHERE ${column} IS NULL)`).join(', ');

/** Rows that cannot be matched, with the columns of the merge key that are null and the number of their nulls. */
export function missingKey(rows: string, key: readonly string[], nulls: readonly unknown[]): DataError {
  const columns = key.flatMap((name, i) => (Number(nulls[i]) > 0 ? [`"${name}" is null in ${Number(nulls[i])}`] : []));
  return new DataError(
    'SCHEMA_MISMATCH',
    `${rows} rows have no value in the merge key: ${columns.join(', ')}. Fill or leave out such rows before the load, for example with a not_null gate, or choose another mergeKey.`,
  );
}
