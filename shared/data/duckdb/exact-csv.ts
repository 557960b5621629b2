import { DataError } from '../../platform/errors/data-error.ts';
import { lookAtLines } from './csv-lines.ts';
import { quoteLiteral } from './quoting.ts';

/** Room for a line costs the engine memory whether there is such a line or not, and hardly any is longer than this. */
export const COMMON_LINE_BYTES = 16 * 1024 ** 2;
/** More the smallest engine could not hold together with what it makes of it. */
export const MAX_LINE_BYTES = 64 * 1024 ** 2;

export const tooLongLine = () =>
  new DataError(
    'RESULT_TOO_LARGE',
    `A row has more than ${MAX_LINE_BYTES / 1024 ** 2} MB as text, in which bytes count twice. Leave out its longest column.`,
  );

/** A cell of the CSV in which values are handed to DuckDB exactly: only an unquoted empty cell is null. */
export function csvValue(value: string | null): string {
  if (value === null) return '';
  return value.includes('"') ? `"${value.replaceAll('"', '""')}"` : `"${value}"`;
}

/**
 * Reads such a file; the columns are texts `c0`, `c1`, … . A line of one column has a second cell, since a lone null would be
 * an empty line, which no reader tells from the end of the file. Throws RESULT_TOO_LARGE for a row that is too long.
 */
export async function csvTable(path: string | readonly string[], width: number): Promise<string> {
  const columns = Array.from({ length: Math.max(width, 2) }, (_, i) => `'c${i}': 'VARCHAR'`);
  const files = typeof path === 'string' ? quoteLiteral(path) : `[${path.map(quoteLiteral).join(', ')}]`;
  const found = await Promise.all([path].flat().map((each) => lookAtLines(each)));
  const longest = Math.max(0, ...found.map(({ longestRow }) => longestRow));
  // Of a line that does not fit the engine says what is in it, or nothing: it leaves out a last one that spans several buffers.
  if (longest > MAX_LINE_BYTES) throw tooLongLine();
  const lineBytes = longest > COMMON_LINE_BYTES ? MAX_LINE_BYTES : COMMON_LINE_BYTES;
  const isShared = !found.some(({ hasQuotedLines }) => hasQuotedLines);
  return `read_csv(${files}, auto_detect = false, columns = {${columns.join(', ')}}, header = false,
    delim = ',', quote = '"', escape = '"', new_line = '\\n', nullstr = '', allow_quoted_nulls = false,
    strict_mode = true, null_padding = false, ignore_errors = false, parallel = ${isShared},
    max_line_size = ${lineBytes}, buffer_size = ${2 * lineBytes})`;
}
