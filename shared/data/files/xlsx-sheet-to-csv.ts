import { closeSync, openSync, writeSync } from 'node:fs';
import { csvValue } from '../duckdb/exact-csv.ts';
import { type ColumnChange, exampleOf, MAX_EXAMPLES } from './changed-values.ts';
import { unreadable } from './file-format.ts';
import { SheetHead } from './xlsx-sheet-head.ts';
import { type CellError, readRows } from './xlsx-sheet-rows.ts';
import { openWorkbook, sheetOf } from './xlsx-workbook.ts';

export interface SheetOptions {
  /** Defaults to the first sheet that is not hidden. */
  sheet?: string;
  /** Whether the first row has the names of the columns; true by default. */
  header?: boolean;
  /** The row with the names, or the first row to read, starting at 1. Defaults to the first row that is not empty. */
  headerRow?: number;
}

/** Cells of a column that became null because they have an error. */
export interface CellErrors {
  /** Starts at 0. */
  column: number;
  cells: number;
  /** Set if no other cell of the column has a value. */
  isEmptied?: true;
  examples: ColumnChange['examples'];
}

const FLUSH_CHARACTERS = 256 * 1024;

/**
 * Writes the rows of a sheet as CSV. All values are quoted, null is empty, and all rows have the same width. Returns
 * the errors below the names. Throws FILE_UNREADABLE.
 */
export async function sheetToCsv(
  path: string,
  options: SheetOptions,
  csvPath: string,
  maxRows?: number,
): Promise<{ errors: CellErrors[] }> {
  const workbook = await openWorkbook(path);
  try {
    const sheet = sheetOf(workbook, options.sheet);
    const from = options.headerRow ?? 1;
    const enough = (rows: number) => maxRows !== undefined && rows > maxRows;

    // The size that the sheet declares may be wrong, so it is read twice.
    let width = 0;
    let rows = 0;
    const counted = new ErrorCount();
    const head = new SheetHead();
    await readRows(
      workbook,
      sheet,
      (number, cells, errors) => {
        if (number < from || enough(rows)) return;
        rows += 1;
        head.see(number, cells);
        width = Math.max(
          width,
          cells.findLastIndex((value) => value !== null) + 1,
          ...errors.map(({ column }) => column + 1),
        );
        if (rows > 1 || options.header === false) counted.see(number, cells, errors);
      },
      { done: () => enough(rows), onMerged: (reference) => head.seeMerged(reference) },
    );
    if (rows === 0) throw unreadable(`The sheet "${sheet.name}" is empty.`);
    if (options.headerRow === undefined && options.header === undefined) head.check();

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
        { done: () => enough(written) },
      );
      writeSync(file, text);
    } finally {
      closeSync(file);
    }
    return { errors: counted.found() };
  } finally {
    workbook.parts.close();
  }
}

class ErrorCount {
  readonly #errors = new Map<number, { cells: number; examples: ColumnChange['examples'] }>();
  readonly #filled = new Set<number>();

  see(number: number, cells: readonly (string | null)[], errors: readonly CellError[]): void {
    for (const [column, value] of cells.entries()) if (value !== null) this.#filled.add(column);
    for (const { column, text } of errors) {
      const counted = this.#errors.get(column) ?? { cells: 0, examples: [] };
      counted.cells += 1;
      if (counted.examples.length < MAX_EXAMPLES) counted.examples.push(exampleOf(number, text));
      this.#errors.set(column, counted);
    }
  }

  found(): CellErrors[] {
    return [...this.#errors].map(([column, counted]) => ({
      column,
      ...counted,
      ...(this.#filled.has(column) ? {} : { isEmptied: true as const }),
    }));
  }
}
