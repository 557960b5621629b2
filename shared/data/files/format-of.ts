import { FILE_FORMATS, type FileFormat } from './formats.ts';

export interface NamedFormat {
  format: FileFormat;
  compression?: 'gzip';
}

const ENDINGS: Record<string, FileFormat> = { tsv: 'csv', txt: 'csv', jsonl: 'ndjson', parq: 'parquet' };

/** What the ending of a file's name says of its format, such as `csv.gz`; undefined when it says nothing. */
export function formatOf(path: string): NamedFormat | undefined {
  const name = path.toLowerCase();
  const isGzip = name.endsWith('.gz');
  const ending = /\.([a-z]+)$/.exec(isGzip ? name.slice(0, -3) : name)?.[1] ?? '';
  const format = ENDINGS[ending] ?? FILE_FORMATS.find((known) => known === ending);
  return format && { format, ...(isGzip ? { compression: 'gzip' as const } : {}) };
}
