/** The formats in which files are read. */
export const FILE_FORMATS = ['csv', 'ndjson', 'json', 'parquet', 'xlsx'] as const;
export type FileFormat = (typeof FILE_FORMATS)[number];
