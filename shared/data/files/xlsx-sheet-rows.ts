import { MAX_COLUMNS, unreadable } from './file-format.ts';
import { dateText } from './xlsx-dates.ts';
import { localName, type Sheet, textReader, type Workbook } from './xlsx-workbook.ts';

/** A cell with an error such as `#N/A`, or with a number that is no date although its format shows one. */
export interface CellError {
  /** Starts at 0. */
  column: number;
  text: string;
}

/** A row of texts starting at column A; null for a cell that is empty or has an error. Numbers start at 1. */
export type OnRow = (number: number, cells: (string | null)[], errors: readonly CellError[]) => void;

/**
 * Streams the rows of a sheet that have a value or an error. A formula gives its last computed value, a merged area its
 * first cell, and an error such as `#N/A` null. Ends early if `done` returns true; merged areas are reported after all
 * rows. Throws FILE_UNREADABLE, also for more than 2,000 columns.
 */
export async function readRows(
  workbook: Workbook,
  sheet: Sheet,
  onRow: OnRow,
  { done, onMerged }: { done?: () => boolean; onMerged?: (reference: string) => void } = {},
): Promise<void> {
  const inline = textReader();
  let row = { number: 0, cells: [] as (string | null)[], errors: [] as CellError[] };
  let cell = { column: 0, type: 'n', style: 0, value: '', inValue: false };
  await workbook.parts.parse(
    sheet.part,
    {
      open({ name, attributes }) {
        const local = localName(name);
        inline.open(local);
        if (local === 'row') row = { number: Number(attributes.r ?? row.number + 1), cells: [], errors: [] };
        else if (local === 'c') {
          const { r, t = 'n', s = '0' } = attributes;
          const column = r === undefined ? row.cells.length : columnIndex(r);
          if (column >= MAX_COLUMNS) {
            throw unreadable(`Row ${row.number}: the sheet has more than ${MAX_COLUMNS} columns.`);
          }
          cell = { column, type: t, style: Number(s), value: '', inValue: false };
          inline.start();
        } else if (local === 'v') cell.inValue = true;
        else if (local === 'mergeCell') onMerged?.(attributes.ref ?? '');
      },
      text(text) {
        inline.text(text);
        if (cell.inValue) cell.value += text;
      },
      close({ name }) {
        const local = localName(name);
        inline.close(local);
        if (local === 'v') cell.inValue = false;
        else if (local === 'c') {
          while (row.cells.length < cell.column) row.cells.push(null);
          const text = textOf(workbook, cell, inline.take(), row.number);
          row.cells[cell.column] = text;
          // An empty cell has no value, an error is one.
          if (text === null && cell.value !== '') row.errors.push({ column: cell.column, text: cell.value });
        } else if (local === 'row' && (row.errors.length > 0 || row.cells.some((value) => value !== null))) {
          onRow(row.number, row.cells, row.errors);
        }
      },
    },
    done,
  );
}

function textOf(
  { sharedStrings, dateStyles, from1904 }: Workbook,
  { type, style, value }: { type: string; style: number; value: string },
  inline: string,
  row: number,
): string | null {
  switch (type) {
    case 's': {
      const text = value === '' ? null : sharedStrings[Number(value)];
      if (text === undefined)
        throw unreadable(`Row ${row}: a cell refers to a text that is missing from the workbook.`);
      return text;
    }
    case 'inlineStr':
      return inline;
    case 'str':
      return value;
    case 'b':
      return value === '1' ? 'true' : 'false';
    case 'e':
      return null;
    case 'd':
      return value.replace('T', ' ');
    default: {
      if (value === '') return null;
      const number = Number(value);
      if (!Number.isFinite(number)) throw unreadable(`Row ${row}: "${value.slice(0, 40)}" is not a number.`);
      const kind = dateStyles[style];
      return kind ? dateText(number, kind, from1904) : String(number);
    }
  }
}

/** The column of a cell, starting at 0: `AB12` is in column 27. */
export function columnIndex(reference: string): number {
  let index = 0;
  for (const letter of reference) {
    const digit = letter.toUpperCase().charCodeAt(0) - 64;
    if (digit < 1 || digit > 26) break;
    index = index * 26 + digit;
    if (index > 20_000) break;
  }
  return index - 1;
}
