import { quoteLiteral } from './quoting.ts';

/** Columns with these names hide the position of a row, so rows of such files cannot be numbered. */
export const NAMES_OF_PLACES: ReadonlySet<string> = new Set(['file_index', 'file_row_number']);

/** Distance between the numbers of two files; no file has as many rows. */
export const NUMBER_OF_ROW = 'CAST(file_index AS BIGINT) * 1099511627776 + file_row_number';

/**
 * Accepts exact paths only: with a wildcard, one name would stand for several files. Files of several versions are
 * joined by column name.
 */
export function parquetSource(files: readonly string[]): string {
  const wild = files.find((file) => /[*?[\]{}]/.test(file));
  if (wild !== undefined) throw new TypeError(`a Parquet path must not contain wildcards: ${wild}`);
  return `read_parquet([${files.map(quoteLiteral).join(', ')}], hive_partitioning = false, union_by_name = ${files.length > 1})`;
}
