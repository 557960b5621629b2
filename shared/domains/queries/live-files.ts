import { csvLine } from '../../data/duckdb/csv-text.ts';
import { AppError } from '../../platform/errors/app-error.ts';
import type { ResultFormat, StatementResult } from './command.ts';

/**
 * Converts rows of a source into another text format. Throws NOT_ACCEPTABLE for formats that only the engine writes.
 */
export function rowsAsFile(computed: StatementResult, format: ResultFormat): StatementResult {
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
      ? [names, ...rows.map((row) => row.map(cell))].map(csvLine).join('')
      : rows.map((row) => `${JSON.stringify(Object.fromEntries(names.map((name, i) => [name, row[i]])))}\n`).join('');
  return { ...computed, payload: Buffer.from(text).toString('base64') };
}

const cell = (value: unknown): string | null =>
  value === null || typeof value === 'string' ? value : JSON.stringify(value);
