/** The formats of exported dashboards, with their media types. */
export const EXPORT_MEDIA_TYPES = {
  csv: 'text/csv',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  pdf: 'application/pdf',
} as const;
export const ZIP_MEDIA_TYPE = 'application/zip';

export type ExportFormat = keyof typeof EXPORT_MEDIA_TYPES;
export const EXPORT_FORMATS = Object.keys(EXPORT_MEDIA_TYPES) as ExportFormat[];

/** Files of rows, which contain all of them up to a limit; documents show what charts show. */
export type RowsFormat = Extract<ExportFormat, 'csv' | 'xlsx'>;

/** How many rows of a card a file contains at most. */
export const MAX_EXPORTED_ROWS: Readonly<Record<RowsFormat, number>> = {
  csv: 5_000_000,
  xlsx: 500_000,
};
