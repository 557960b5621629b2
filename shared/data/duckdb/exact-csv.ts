import { DataError } from '../../platform/errors/data-error.ts';
import { scanLines } from './csv-lines.ts';
import { quoteLiteral } from './quoting.ts';

/** The engine reserves memory for the maximum line length, and lines are rarely longer than this. */
export const COMMON_LINE_BYTES = 16 * 1024 ** 2;
/** The smallest engine could not hold a longer line together with the values read from it. */
export const MAX_LINE_BYTES = 64 * 1024 ** 2;

export const tooLongLine = () =>
  new DataError(
    'RESULT_TOO_LARGE',
    `A row has more than ${MAX_LINE_BYTES / 1024 ** 2} MB as text, in which bytes count twice. Leave out its longest column.`,
  );

/** Formats a cell of the CSV that passes values to DuckDB exactly: only an unquoted empty cell is null. */
export function csvValue(value: string | null): string {
  if (value === null) return '';
  return value.includes('"') ? `"${value.replaceAll('"', '""')}"` : `"${value}"`;
}

/**
 * Reads such a file. The columns are texts `c0`, `c1`, … . A line of a single column has a second cell, because a lone
 * null would be an empty line, which readers take for the end of the file. Throws RESULT_TOO_LARGE for a row that is
 * too long.
 */
export async function csvTable(path: string | readonly string[], width: number): Promise<string> {
  const columns = Array.from({ length: Math.max(width, 2) }, (_, i) => `'c${i}': 'VARCHAR'`);
  const files = typeof path === 'string' ? quoteLiteral(path) : `[${path.map(quoteLiteral).join(', ')}]`;
  const found = await Promise.all([path].flat().map((each) => scanLines(each)));
  const longest = Math.max(0, ...found.map(({ longestRow }) => longestRow));
  // For a line that is too long, the engine reports its content or nothing at all: it skips a last line that spans
  // several buffers.
  if (longest > MAX_LINE_BYTES) throw tooLongLine();
  const lineBytes = longest > COMMON_LINE_BYTES ? MAX_LINE_BYTES : COMMON_LINE_BYTES;
  const isShared = !found.some(({ hasQuotedLines }) => hasQuotedLines);
  return `read_csv(${files}, auto_detect = false, columns = {${columns.join(', ')}}, header = false,
    delim = ',', quote = '"', escape = '"', new_line = '\\n', nullstr = '', allow_quoted_nulls = false,
    strict_mode = true, null_padding = false, ignore_errors = false, parallel = ${isShared},
    max_line_size = ${lineBytes}, buffer_size = ${2 * lineBytes})`;
}
