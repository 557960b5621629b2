import { unreadable } from './file-format.ts';
import { type HeadRecord, headIssue, type WideCell } from './table-head.ts';
import { columnIndex } from './xlsx-sheet-rows.ts';

const MAX_ROWS = 1000;
const MAX_WIDE_CELLS = 10_000;

/** The first rows of a sheet, which show where the names of its columns are. */
export class SheetHead {
  readonly #rows: HeadRecord[] = [];
  readonly #wide: WideCell[] = [];

  see(line: number, cells: readonly (string | null)[]): void {
    if (this.#rows.length === MAX_ROWS) return;
    const end = cells.findLastIndex((value) => value !== null) + 1;
    this.#rows.push({ line, values: cells.slice(0, end).map((value) => value ?? '') });
  }

  /** Notes an area such as `B1:D1`. */
  seeMerged(reference: string): void {
    const [, first = '', line, last = ''] = /^([A-Z]+)(\d+):([A-Z]+)\d+$/i.exec(reference) ?? [];
    const [from, to] = [columnIndex(first), columnIndex(last)];
    if (line === undefined || to <= from || this.#wide.length === MAX_WIDE_CELLS) return;
    this.#wide.push({ line: Number(line), from, to });
  }

  /** Throws FILE_UNREADABLE if the names are not in the first row, or in several. */
  check(): void {
    const issue = headIssue(this.#rows, this.#wide);
    if (issue !== undefined) throw unreadable(issue);
  }
}
