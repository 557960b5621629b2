import { FILE_FORMATS, type FileFormat } from './formats.ts';

export interface NamedFormat {
  format: FileFormat;
  /** Whether the content may show another format. */
  isHint?: boolean;
  compression?: 'gzip';
}

const ENDINGS: Record<string, FileFormat> = {
  tsv: 'csv',
  txt: 'csv',
  jsonl: 'ndjson',
  geojson: 'json',
  parq: 'parquet',
};

/** The format that a file's name indicates by its extension, such as `csv.gz`; undefined if it indicates none. */
export function formatOf(path: string): NamedFormat | undefined {
  const name = path.toLowerCase();
  const isGzip = name.endsWith('.gz');
  const ending = /\.([a-z]+)$/.exec(isGzip ? name.slice(0, -3) : name)?.[1] ?? '';
  const format = ENDINGS[ending] ?? FILE_FORMATS.find((known) => known === ending);
  return format && { format, isHint: true, ...(isGzip ? { compression: 'gzip' as const } : {}) };
}
