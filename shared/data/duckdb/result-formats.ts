/** File formats of results, with their media types. */
export const RESULT_MEDIA_TYPES = {
  csv: 'text/csv',
  ndjson: 'application/x-ndjson',
  arrow: 'application/vnd.apache.arrow.stream',
  parquet: 'application/vnd.apache.parquet',
} as const;

export type ResultFileFormat = keyof typeof RESULT_MEDIA_TYPES;
export type ResultMediaType = (typeof RESULT_MEDIA_TYPES)[ResultFileFormat];

/** How CSV for people differs from CSV for programs: it is opened in a spreadsheet. */
export interface Spreadsheet {
  /** Named in the headings of instants. */
  timezone: string;
  /** The last line, if rows are left out. */
  truncationNote?: string;
}
