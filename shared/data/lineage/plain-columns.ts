import { tokens } from '../sql/lexer.ts';

/**
 * The statement with `COLUMNS(*)`, where it stands alone in a select list, as the star that it means. Other uses of `COLUMNS`
 * stay, and with them what they are used for is unresolved.
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

/** A statement `PIVOT t ON c IN (…) USING f(x) GROUP BY k` in the words of the standard, which the analysis reads. */
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

/** A table turned from columns into rows, as the union that it is: the analysis takes the names in `UNPIVOT` for values. */
export const withPlainUnpivot = (sql: string): string =>
  sql
    .trim()
    .replace(UNPIVOT, (all, source, columns, name, value) => unionOf(all, source, columns, name, value))
    .replace(UNPIVOTED, (all, source, value, name, columns) => `(${unionOf(all, source, columns, name, value)})`);

/** A text grows by as much as it has columns turned: of more than these it stays as it is, and so unresolved. */
const MAX_TURNED = 50;

function unionOf(all: string, source: string, columns: string, name: string, value: string): string {
  const turned = columns.split(',');
  if (turned.length > MAX_TURNED) return all;
  return turned
    .map((column) => `SELECT * EXCLUDE (${columns}), '' AS ${name}, ${column.trim()} AS ${value} FROM ${source}`)
    .join(' UNION ALL ');
}

/** Whether the statement turns columns into rows: the analysis takes names for values then, and loses the columns beside them. */
export function turnsColumns(sql: string): boolean {
  return [...tokens(sql)].some(({ kind, start, end }) => kind === 'word' && /^unpivot$/i.test(sql.slice(start, end)));
}
