import { quoteLiteral } from './quoting.ts';

/** Room for a line costs the engine memory whether there is such a line or not, and hardly any is longer than this. */
export const COMMON_LINE_BYTES = 16 * 1024 ** 2;

/** A cell of the CSV in which values are handed to DuckDB exactly: only an unquoted empty cell is null. */
export function csvValue(value: string | null): string {
  if (value === null) return '';
  return value.includes('"') ? `"${value.replaceAll('"', '""')}"` : `"${value}"`;
}

/**
 * Reads such a file; the columns are texts `c0`, `c1`, … . A line of one column has a second cell, since a lone null would be
 * an empty line, which no reader tells from the end of the file.
 */
export function csvTable(path: string | readonly string[], width: number): string {
  const columns = Array.from({ length: Math.max(width, 2) }, (_, i) => `'c${i}': 'VARCHAR'`);
  const files = typeof path === 'string' ? quoteLiteral(path) : `[${path.map(quoteLiteral).join(', ')}]`;
  return `read_csv(${files}, auto_detect = false, columns = {${columns.join(', ')}}, header = false,
    delim = ',', quote = '"', escape = '"', new_line = '\\n', nullstr = '', allow_quoted_nulls = false,
    strict_mode = true, null_padding = false, ignore_errors = false, max_line_size = ${COMMON_LINE_BYTES}, buffer_size = ${2 * COMMON_LINE_BYTES})`;
}
