import { csvLine } from '../../../../data/duckdb/csv-text.ts';
import type { TermContent } from '../records.ts';

/** The relations that have a column: a term has the inverse ones because others have these. */
export const COLUMN_RELATIONS = ['broader', 'related', 'replacedBy'] as const;
export type ColumnRelation = (typeof COLUMN_RELATIONS)[number];

/** The columns of a glossary as CSV. */
export const TERM_COLUMNS = {
  id: 'id',
  name: 'name',
  abbreviation: 'abbreviation',
  definition: 'definition',
  status: 'status',
  synonyms: 'synonyms',
  hidden_synonyms: 'hiddenSynonyms',
  examples: 'examples',
  tags: 'tags',
  exact_match: 'exactMatch',
  owners: 'ownerIds',
  reviewers: 'reviewerIds',
  broader: 'broader',
  related: 'related',
  replaced_by: 'replacedBy',
} as const satisfies Record<string, 'id' | keyof TermContent | ColumnRelation>;
export type TermColumn = keyof typeof TERM_COLUMNS;
const COLUMNS = Object.keys(TERM_COLUMNS) as TermColumn[];

const LISTS: ReadonlySet<TermColumn> = new Set([
  ...(['synonyms', 'hidden_synonyms', 'tags', 'exact_match', 'owners', 'reviewers'] as const),
  ...(['broader', 'related', 'replaced_by'] as const),
]);

/** What a spreadsheet takes for a formula, and what was marked as none. */
const FORMULA = /^'*[=+\-@\t\r]/;
const MARKED = /^'+[=+\-@\t\r]/;

/** Texts that look like formulas are marked with an apostrophe, which `readCell` removes. */
const writeText = (text: string): string => (FORMULA.test(text) ? `'${text}` : text);
const readText = (cell: string): string => (MARKED.test(cell) ? cell.slice(1) : cell);

const writeList = (items: readonly string[]): string | null =>
  items.length === 0 ? null : writeText(items.map((item) => item.replace(/[\\|]/g, '\\$&')).join('|'));

/** Items are separated by `|`; a backslash makes the next character part of the item. Empty items are dropped. */
function readList(cell: string): string[] {
  const items = [''];
  const characters = [...readText(cell)];
  for (let at = 0; at < characters.length; at += 1) {
    const character = characters[at]!;
    if (character === '|') items.push('');
    else if (character === '\\' && at + 1 < characters.length) items[items.length - 1] += characters[++at]!;
    else items[items.length - 1] += character;
  }
  return items.filter((item) => item.trim() !== '');
}

/** A term with the names of the related ones. */
export type ExportedTerm = { id: string } & TermContent & Readonly<Record<ColumnRelation, readonly string[]>>;

/** Reading it back changes nothing. */
export function writeTerms(terms: Iterable<ExportedTerm>): string {
  const lines = [csvLine(COLUMNS)];
  for (const term of terms) {
    const cells = COLUMNS.map((column) => {
      const value = term[TERM_COLUMNS[column]];
      if (value === null) return null;
      return typeof value === 'string' ? writeText(value) : writeList(value);
    });
    lines.push(csvLine(cells));
  }
  return lines.join('');
}

/** The value of a cell. An empty one clears the member; texts may also be empty in quotes. */
export function readCell(column: TermColumn, cell: string | null): string | string[] | null {
  if (LISTS.has(column)) return cell === null ? [] : readList(cell);
  if (cell === null) return null;
  const text = readText(cell);
  if (column === 'status') return text.trim().toLowerCase();
  return text === '' && column !== 'examples' ? null : text;
}

export interface CsvCell {
  /** Null for nothing, which is not the same as nothing in quotes. */
  text: string | null;
  line: number;
  column: number;
  offset: number;
}

/** The rows of a CSV file by RFC 4180, without blank lines; undefined with the place of a quote that never ends. */
export function readCsv(text: string): { rows: CsvCell[][]; open?: CsvCell } {
  const rows: CsvCell[][] = [];
  let row: CsvCell[] = [];
  let [at, line, lineStart] = [text.startsWith('\uFEFF') ? 1 : 0, 1, 0];
  lineStart = at;
  const endRow = () => {
    if (row.length > 1 || row[0]?.text != null) rows.push(row);
    row = [];
  };
  while (at < text.length) {
    const place = { line, column: at - lineStart + 1, offset: at };
    let value: string | null;
    if (text[at] === '"') {
      const end = endOfQuoted(text, at);
      if (end === undefined) return { rows, open: { text: null, ...place } };
      const quoted = text.slice(at + 1, end);
      for (let next = quoted.indexOf('\n'); next >= 0; next = quoted.indexOf('\n', next + 1)) {
        line += 1;
        lineStart = at + 1 + next + 1;
      }
      const rest = plainUntil(text, end + 1);
      value = quoted.replaceAll('""', '"') + text.slice(end + 1, rest);
      at = rest;
    } else {
      const end = plainUntil(text, at);
      value = end === at ? null : text.slice(at, end);
      at = end;
    }
    row.push({ text: value, ...place });
    if (text[at] === ',') {
      at += 1;
      if (at === text.length) row.push({ text: null, line, column: at - lineStart + 1, offset: at });
      continue;
    }
    at += text[at] === '\r' && text[at + 1] === '\n' ? 2 : 1;
    line += 1;
    lineStart = at;
    endRow();
  }
  if (row.length > 0) endRow();
  return { rows };
}

/** The index of the closing quote; undefined if there is none. */
function endOfQuoted(text: string, start: number): number | undefined {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 2)) {
    if (text[end + 1] !== '"') return end;
  }
  return undefined;
}

function plainUntil(text: string, start: number): number {
  let end = start;
  while (end < text.length && text[end] !== ',' && text[end] !== '\n' && text[end] !== '\r') end += 1;
  return end;
}
