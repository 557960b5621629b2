import type { Column } from './column-types.ts';
import type { Spreadsheet } from './result-formats.ts';

/** What a spreadsheet takes for the beginning of a formula. */
export const FORMULA_BEGINNINGS: readonly string[] = ['=', '+', '-', '@', '\t', '\r'];

/** The text, which a spreadsheet does not run as a formula. */
export const inertText = (text: string): string => (FORMULA_BEGINNINGS.includes(text.charAt(0)) ? `'${text}` : text);

const NUMBERS = /^(integer|double|decimal|number)/;
/** Times of theirs that begin with a minus sign are years before 1, and no formulas. */
const TIMES = /^(date|datetime|timestamp)/;
const INSTANTS = /^(timestamptz|datetime)/;

/** Whether the column contains texts of users, which may be anything. */
export const hasTexts = ({ type }: Column): boolean => !NUMBERS.test(type) && !TIMES.test(type);

/** Makes the texts of a row inert, and leaves its numbers and dates as they are. */
export function spreadsheetCells(columns: readonly Column[]): (cells: readonly (string | null)[]) => (string | null)[] {
  const texts = columns.map(hasTexts);
  return (cells) => cells.map((cell, at) => (cell !== null && texts[at] ? inertText(cell) : cell));
}

/** The names of the columns, with the time zone where it matters. */
export const spreadsheetHeadings = (columns: readonly Column[], { timezone }: Pick<Spreadsheet, 'timezone'>) =>
  columns.map(({ name, type }) => inertText(INSTANTS.test(type) ? `${name} (${timezone})` : name));
