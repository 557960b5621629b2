/** The formats of exported dashboards, with their media types. */
export const EXPORT_MEDIA_TYPES = {
  csv: 'text/csv',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
} as const;
export const ZIP_MEDIA_TYPE = 'application/zip';

export type ExportFormat = keyof typeof EXPORT_MEDIA_TYPES;
export const EXPORT_FORMATS = Object.keys(EXPORT_MEDIA_TYPES) as ExportFormat[];

/** How many rows of a card a file contains at most. */
export const MAX_EXPORTED_ROWS: Readonly<Record<ExportFormat, number>> = {
  csv: 5_000_000,
  xlsx: 500_000,
};
