/** The formats in which files are read. */
export const FILE_FORMATS = ['csv', 'ndjson', 'json', 'parquet', 'xlsx'] as const;
export type FileFormat = (typeof FILE_FORMATS)[number];

/** The formats in which loads write files. */
export const TARGET_FORMATS = ['csv', 'ndjson', 'json', 'parquet'] as const;
export type TargetFormat = (typeof TARGET_FORMATS)[number];
