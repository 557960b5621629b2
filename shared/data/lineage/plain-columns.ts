import { tokens } from '../sql/lexer.ts';

/**
 * Replaces `COLUMNS(*)`, if it is an item of a select list by itself, with the star that it means. Other uses of
 * `COLUMNS` stay, and what they produce is unresolved.
 */
export function withPlainStars(sql: string): string {
  const words = [...tokens(sql)].filter(({ kind }) => kind !== 'space' && kind !== 'comment');
  const text = (index: number) => words[index] && sql.slice(words[index].start, words[index].end).toLowerCase();
  let plain = '';
  let done = 0;
  for (let index = 0; index < words.length; index += 1) {
    if (words[index]!.kind === 'identifier' || text(index) !== 'columns' || text(index + 1) !== '(') continue;
    const isFirst = text(index - 1) === 'select' || text(index - 1) === ',';
    if (!isFirst || text(index + 2) !== '*' || text(index + 3) !== ')') continue;
    if (![',', 'from', ';', undefined].includes(text(index + 4))) continue;
    plain += `${sql.slice(done, words[index]!.start)}*`;
    done = words[index + 3]!.end;
  }
  return plain + sql.slice(done);
}

const PIVOT =
  /^\s*PIVOT\s+(\w+)\s+ON\s+(\w+)\s+IN\s*(\([^()]*\))\s+USING\s+(\w+\(\w+\))\s+GROUP\s+BY\s+(\w+(?:\s*,\s*\w+)*)\s*;?$/i;

/** Rewrites a statement `PIVOT t ON c IN (…) USING f(x) GROUP BY k` in standard SQL, which the analysis supports. */
export const withPlainPivot = (sql: string): string =>
  sql.trim().replace(PIVOT, 'SELECT * FROM $1 PIVOT ($4 FOR $2 IN $3 GROUP BY $5)');

const SOURCE = String.raw`(\b\w+|\([^()]*\))`;
const NAMES = String.raw`(\w+(?:\s*,\s*\w+)*)`;
const UNPIVOT = new RegExp(
  String.raw`^\s*UNPIVOT\s+${SOURCE}\s+ON\s+${NAMES}\s+INTO\s+NAME\s+(\w+)\s+VALUE\s+(\w+)\s*;?$`,
  'i',
);
const UNPIVOTED = new RegExp(
  String.raw`${SOURCE}\s+UNPIVOT\s*\(\s*(\w+)\s+FOR\s+(\w+)\s+IN\s*\(\s*${NAMES}\s*\)\s*\)`,
  'gi',
);

/** Rewrites `UNPIVOT` as a union, because the analysis takes the names in `UNPIVOT` for values. */
export const withPlainUnpivot = (sql: string): string =>
  sql
    .trim()
    .replace(UNPIVOT, (all, source, columns, name, value) => unionOf(all, source, columns, name, value))
    .replace(UNPIVOTED, (all, source, value, name, columns) => `(${unionOf(all, source, columns, name, value)})`);

/**
 * The rewritten text grows with the number of columns. With more than these it is not rewritten and stays unresolved.
 */
const MAX_TURNED = 50;

function unionOf(all: string, source: string, columns: string, name: string, value: string): string {
  const turned = columns.split(',');
  if (turned.length > MAX_TURNED) return all;
  return turned
    .map((column) => `SELECT * EXCLUDE (${columns}), '' AS ${name}, ${column.trim()} AS ${value} FROM ${source}`)
    .join(' UNION ALL ');
}

/**
 * Whether the statement turns columns into rows. The analysis would then take names for values and lose the other
 * columns.
 */
export function turnsColumns(sql: string): boolean {
  return [...tokens(sql)].some(({ kind, start, end }) => kind === 'word' && /^unpivot$/i.test(sql.slice(start, end)));
}
