/** The formats of exported dashboards, with their media types. */
export const EXPORT_MEDIA_TYPES = {
  csv: 'text/csv',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  pdf: 'application/pdf',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  png: 'image/png',
  svg: 'image/svg+xml',
} as const;
export const ZIP_MEDIA_TYPE = 'application/zip';

export type ExportFormat = keyof typeof EXPORT_MEDIA_TYPES;
export const EXPORT_FORMATS = Object.keys(EXPORT_MEDIA_TYPES) as ExportFormat[];

/** Files of rows, which contain all of them up to a limit; documents and images show what charts show. */
export type RowsFormat = Extract<ExportFormat, 'csv' | 'xlsx'>;
export type ImageFormat = Extract<ExportFormat, 'png' | 'svg'>;
/** What texts are written as: documents that flow, not files of rows, slides or images. */
export const ARTICLE_FORMATS = ['pdf', 'docx'] as const satisfies readonly ExportFormat[];
export type ArticleFormat = (typeof ARTICLE_FORMATS)[number];
export type DocumentFormat = Exclude<ExportFormat, RowsFormat | ImageFormat>;

/** Whether a file of the format contains only cards that have rows. */
export const needsRows = (format: ExportFormat): boolean => !['pdf', 'pptx', 'docx'].includes(format);

/** How many rows of a card a file contains at most. */
export const MAX_EXPORTED_ROWS: Readonly<Record<RowsFormat, number>> = {
  csv: 5_000_000,
  xlsx: 500_000,
};
