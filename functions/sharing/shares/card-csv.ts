import { withTotals } from '../../../shared/data/charts/total-rows.ts';
import { csvLine } from '../../../shared/data/duckdb/csv-text.ts';
import { spreadsheetCells, spreadsheetHeadings } from '../../../shared/data/duckdb/spreadsheet-csv.ts';
import type { CardRows } from '../../../shared/domains/boards/cards/index.ts';

/** The rows of a card as CSV for people: texts that a spreadsheet would take for formulas are inert. */
export function cardCsv({
  columns,
  rowsJson,
  totals,
  timezone,
}: Pick<CardRows, 'columns' | 'rowsJson' | 'totals' | 'timezone'>): string {
  const inert = spreadsheetCells(columns);
  const { rows } = withTotals({ columns, rows: JSON.parse(rowsJson) as unknown[][], totals });
  const lines = rows.map((row) => csvLine(inert(row.map(textOf))));
  return csvLine(spreadsheetHeadings(columns, { timezone })) + lines.join('');
}

function textOf(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
