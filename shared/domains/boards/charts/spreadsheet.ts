import type { Spreadsheet } from '../../../data/duckdb/result-formats.ts';
import type { ReadChartFile } from './chart-reading.ts';
import { hasChosenRows } from './row-limit.ts';

/** How CSV for people is written; nothing for CSV that programs read. */
export function spreadsheetOf(
  timezone: string,
  { truncationNote, query }: Pick<ReadChartFile, 'truncationNote' | 'query'>,
): { spreadsheet?: Spreadsheet } {
  if (truncationNote === undefined) return {};
  return { spreadsheet: { timezone, ...(!hasChosenRows(query) && { truncationNote }) } };
}
