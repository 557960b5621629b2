import { csvLine } from '../../data/duckdb/csv-text.ts';
import { AppError } from '../../platform/errors/app-error.ts';
import type { Computed, ResultFormat } from './command.ts';

/** Rows of a source in another text format. Throws NOT_ACCEPTABLE for formats that only the engine writes. */
export function rowsAsFile(computed: Computed, format: ResultFormat): Computed {
  if (format === 'rows') return computed;
  if (format === 'arrow' || format === 'parquet') {
    throw new AppError('NOT_ACCEPTABLE', {
      detail: 'A data source answers as application/json, text/csv or application/x-ndjson.',
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
