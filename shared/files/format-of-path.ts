import type { FileFormat } from './formats.ts';

/** The format that the ending of a file's name speaks of; CSV when it says nothing. */
export function formatOfPath(path: string): FileFormat {
  const ending = /\.([a-z]+)$/i.exec(path)?.[1]?.toLowerCase();
  if (ending === 'parquet' || ending === 'ndjson' || ending === 'json') return ending;
  return ending === 'jsonl' ? 'ndjson' : 'csv';
}
