import { open } from 'node:fs/promises';
import { EngineError } from './engine-error.ts';
import { quoteLiteral } from './quoting.ts';

/** Room for a line costs the engine memory whether there is such a line or not, and hardly any is longer than this. */
export const COMMON_LINE_BYTES = 16 * 1024 ** 2;
/** More the smallest engine could not hold together with what it makes of it. */
export const MOST_LINE_BYTES = 64 * 1024 ** 2;

export const tooLongLine = () =>
  new EngineError(
    'RESULT_TOO_LARGE',
    `A row has more than ${MOST_LINE_BYTES / 1024 ** 2} MB as text, in which bytes count twice. Leave out its longest column.`,
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
  const lineBytes = await roomForLines([path].flat());
  return `read_csv(${files}, auto_detect = false, columns = {${columns.join(', ')}}, header = false,
    delim = ',', quote = '"', escape = '"', new_line = '\\n', nullstr = '', allow_quoted_nulls = false,
    strict_mode = true, null_padding = false, ignore_errors = false, max_line_size = ${lineBytes}, buffer_size = ${2 * lineBytes})`;
}

/** Of a line that does not fit the engine says what is in it, or nothing: it leaves out a last one that spans several buffers. */
async function roomForLines(paths: readonly string[]): Promise<number> {
  let longest = 0;
  for (const path of paths) longest = Math.max(longest, await longestLine(path));
  if (longest > MOST_LINE_BYTES) throw tooLongLine();
  return longest > COMMON_LINE_BYTES ? MOST_LINE_BYTES : COMMON_LINE_BYTES;
}

/** Its bytes, or those of the file where it is no longer than a common line. */
async function longestLine(path: string): Promise<number> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    if (size <= COMMON_LINE_BYTES) return size;
    const part = Buffer.allocUnsafe(1024 ** 2);
    let [longest, begun, isQuoted] = [0, 0, false];
    for (;;) {
      const { bytesRead } = await file.read(part);
      if (bytesRead === 0) return Math.max(longest, begun);
      let start = -begun;
      for (let i = 0; i < bytesRead; i += 1) {
        if (part[i] === QUOTE) isQuoted = !isQuoted;
        else if (part[i] === LINE_END && !isQuoted) {
          longest = Math.max(longest, i + 1 - start);
          start = i + 1;
        }
      }
      begun = bytesRead - start;
    }
  } finally {
    await file.close();
  }
}

const [QUOTE, LINE_END] = [0x22, 0x0a];
