import { csvLine } from '../../../data/duckdb/csv-text.ts';
import type { Spreadsheet } from '../../../data/duckdb/result-formats.ts';
import { spreadsheetCells, spreadsheetHeadings } from '../../../data/duckdb/spreadsheet-csv.ts';
import { AppError } from '../../../platform/errors/app-error.ts';
import type { ResultFormat, StatementResult } from './command.ts';

/**
 * Converts rows of a source into another text format. Throws NOT_ACCEPTABLE for formats that only the engine writes.
 */
export function rowsAsFile(
  computed: StatementResult,
  format: ResultFormat,
  spreadsheet?: Spreadsheet,
): StatementResult {
  if (format === 'rows') return computed;
  if (format === 'arrow' || format === 'parquet') {
    throw new AppError('NOT_ACCEPTABLE', {
      detail: 'Results of a data source are available as application/json, text/csv and application/x-ndjson.',
    });
  }
  const rows = JSON.parse(computed.payload) as unknown[][];
  const names = computed.columns.map(({ name }) => name);
  const text =
    format === 'csv'
      ? rowsAsCsv(computed, rows, spreadsheet)
      : rows.map((row) => `${JSON.stringify(Object.fromEntries(names.map((name, i) => [name, row[i]])))}\n`).join('');
  return { ...computed, payload: Buffer.from(text).toString('base64') };
}

/** Rows in the wire format as CSV, which marks what a spreadsheet would take for a formula if it is for one. */
export function rowsAsCsv(
  { columns, truncated }: Pick<StatementResult, 'columns' | 'truncated'>,
  rows: readonly (readonly unknown[])[],
  spreadsheet?: Spreadsheet,
): string {
  const lines = rows.map((row) => row.map(cell));
  if (!spreadsheet) return [columns.map(({ name }) => name), ...lines].map(csvLine).join('');
  const { truncationNote } = spreadsheet;
  const note = truncated && truncationNote !== undefined ? [[truncationNote]] : [];
  return [spreadsheetHeadings(columns, spreadsheet), ...lines.map(spreadsheetCells(columns)), ...note]
    .map(csvLine)
    .join('');
}

const cell = (value: unknown): string | null =>
  value === null || typeof value === 'string' ? value : JSON.stringify(value);
