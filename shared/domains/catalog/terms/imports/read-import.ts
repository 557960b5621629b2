import { AppError, type Issue } from '../../../../platform/errors/app-error.ts';
import { suggestion } from '../../../../platform/validation/names.ts';
import type { TermContent } from '../records.ts';
import {
  COLUMN_RELATIONS,
  type ColumnRelation,
  type CsvCell,
  readCell,
  readCsv,
  TERM_COLUMNS,
  type TermColumn,
} from './csv.ts';

export const MAX_IMPORTED_TERMS = 10_000;
const MAX_ISSUES = 100;

/** A row of an imported file: only the members whose columns the file has. */
export interface ImportedTerm {
  id?: string;
  line: number;
  content: Partial<TermContent>;
  /** The names of the related terms; ids are understood as well. */
  relations: Partial<Record<ColumnRelation, readonly string[]>>;
  /** The cell of a member, or of the row. */
  placeOf(member: string): Issue['position'];
}

const CSV = '/csv';

/** Throws `VALIDATION_FAILED` with up to 100 issues, each with its line and column. */
export function readImport(csv: string): ImportedTerm[] {
  const { rows, open } = readCsv(csv);
  if (open) throw invalid([issueAt(open, 'OPEN_QUOTE', 'begins with a quote that never ends')]);
  const [heading = [], ...lines] = rows;
  const columns = heading.map(({ text }) => (text ?? '').trim().toLowerCase());
  const issues = headingIssues(heading, columns);
  if (lines.length > MAX_IMPORTED_TERMS)
    issues.push(issueAt(lines[MAX_IMPORTED_TERMS]![0], 'TOO_MANY', `has more than ${MAX_IMPORTED_TERMS} terms`));
  if (issues.length > 0) throw invalid(issues);
  for (const cells of lines) {
    if (cells.length !== columns.length)
      issues.push(issueAt(cells[0], 'CELLS', `has ${cells.length} cells instead of ${columns.length}`));
  }
  if (issues.length > 0) throw invalid(issues);
  return lines.map((cells) => rowOf(columns as TermColumn[], cells));
}

function headingIssues(heading: readonly CsvCell[], columns: readonly string[]): Issue[] {
  const known = Object.keys(TERM_COLUMNS);
  const issues = heading.flatMap((cell, index): Issue[] => {
    const name = columns[index]!;
    if (!known.includes(name))
      return [issueAt(cell, 'UNKNOWN_COLUMN', `is no column of terms${suggestion(name, known)}`)];
    return columns.indexOf(name) < index ? [issueAt(cell, 'REPEATED', `repeats the column ${name}`)] : [];
  });
  if (issues.length === 0 && !columns.includes('name') && !columns.includes('id'))
    return [issueAt(heading[0], 'REQUIRED', 'needs a column `name` or `id`')];
  return issues;
}

function rowOf(columns: readonly TermColumn[], cells: readonly CsvCell[]): ImportedTerm {
  const values = columns.map((column, index) => [TERM_COLUMNS[column], readCell(column, cells[index]!.text)] as const);
  const isRelation = (member: string) => (COLUMN_RELATIONS as readonly string[]).includes(member);
  const id = values.find(([member]) => member === 'id')?.[1] as string | null | undefined;
  return {
    ...(id ? { id } : {}),
    line: cells[0]!.line,
    content: Object.fromEntries(values.filter(([member]) => member !== 'id' && !isRelation(member))),
    relations: Object.fromEntries(values.filter(([member]) => isRelation(member))),
    placeOf: (member) => positionOf(cells[columns.findIndex((column) => TERM_COLUMNS[column] === member)] ?? cells[0]!),
  };
}

export const invalid = (errors: readonly Issue[]) =>
  new AppError('VALIDATION_FAILED', { errors: errors.slice(0, MAX_ISSUES) });

export const rowIssue = (row: ImportedTerm, member: string, code: string, message: string): Issue => {
  const position = row.placeOf(member);
  return { pointer: CSV, code, message, ...(position && { position }) };
};

const positionOf = ({ line, column, offset }: CsvCell) => ({ line, column, offset });

const issueAt = (cell: CsvCell | undefined, code: string, message: string): Issue => ({
  ...{ pointer: CSV, code, message },
  position: cell ? positionOf(cell) : { line: 1, column: 1, offset: 0 },
});
