import { closeSync, openSync, writeSync } from 'node:fs';
import { csvValue } from '../duckdb/exact-csv.ts';
import { unreadable } from './file-format.ts';
import { readRows } from './xlsx-sheet-rows.ts';
import { openWorkbook, sheetOf } from './xlsx-workbook.ts';

export interface SheetOptions {
  /** Defaults to the first sheet. */
  sheet?: string;
  /** Whether the first row has the names of the columns; true by default. */
  header?: boolean;
  /** The row with the names, or the first row to read, starting at 1. Defaults to the first row that is not empty. */
  headerRow?: number;
}

const FLUSH_CHARACTERS = 256 * 1024;

/**
 * Writes the rows of a sheet as CSV. All values are quoted, null is empty, and all rows have the same width. Throws
 * FILE_UNREADABLE.
 */
export async function sheetToCsv(
  path: string,
  options: SheetOptions,
  csvPath: string,
  maxRows?: number,
): Promise<void> {
  const workbook = await openWorkbook(path);
  try {
    const sheet = sheetOf(workbook, options.sheet);
    const from = options.headerRow ?? 1;
    const enough = (rows: number) => maxRows !== undefined && rows > maxRows;

    // The size that the sheet declares may be wrong, so it is read twice.
    let width = 0;
    let rows = 0;
    await readRows(
      workbook,
      sheet,
      (number, cells) => {
        if (number < from || enough(rows)) return;
        rows += 1;
        width = Math.max(width, cells.findLastIndex((value) => value !== null) + 1);
      },
      () => enough(rows),
    );
    if (rows === 0) throw unreadable(`The sheet "${sheet.name}" is empty.`);

    const file = openSync(csvPath, 'w');
    try {
      let text = '';
      let written = 0;
      await readRows(
        workbook,
        sheet,
        (number, cells) => {
          if (number < from || enough(written)) return;
          written += 1;
          text += `${Array.from({ length: width }, (_, i) => csvValue(cells[i] ?? null)).join(',')}\n`;
          if (text.length < FLUSH_CHARACTERS) return;
          // The parser cannot be paused, so writing must not wait.
          writeSync(file, text);
          text = '';
        },
        () => enough(written),
      );
      writeSync(file, text);
    } finally {
      closeSync(file);
    }
  } finally {
    workbook.parts.close();
  }
}
