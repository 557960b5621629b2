/**
 * Lines of SQL. A line may be longer than one of the text where a literal contains a line break, so only lines are
 * indented.
 */
export type Lines = readonly string[];

export function select(columns: readonly string[], distinct = false): Lines {
  const word = distinct ? 'SELECT DISTINCT' : 'SELECT';
  return columns.length > 0 ? [word, ...indent(commaSeparated(columns.map((column) => [column])))] : [`${word} 1`];
}

export const where = (conditions: readonly string[]): Lines =>
  conditions.map((sql, index) => `${index === 0 ? 'WHERE' : '  AND'} (${sql})`);

export const orderBy = (terms: readonly string[]): Lines => (terms.length > 0 ? [`ORDER BY ${terms.join(', ')}`] : []);

export const unionAll = (branches: readonly Lines[]): Lines =>
  branches.flatMap((lines, index) => (index > 0 ? ['UNION ALL', ...lines] : lines));

export const commaSeparated = (items: readonly Lines[]): Lines =>
  items.flatMap((lines, index) => (index < items.length - 1 ? after(lines, ',') : lines));

export const indent = (lines: Lines): Lines => lines.map((line) => `  ${line}`);

export const before = (text: string, [first = '', ...others]: Lines): Lines => [`${text}${first}`, ...others];

export const after = (lines: Lines, text: string): Lines => [...lines.slice(0, -1), `${lines.at(-1)}${text}`];

export const inBrackets = (lines: Lines): Lines => ['(', ...indent(lines), ')'];
