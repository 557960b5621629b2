import { createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Engine } from '../duckdb/engine.ts';
import { writeResultFile } from '../duckdb/result-files.ts';
import type { TargetFormat } from './formats.ts';

export const TARGET_MEDIA_TYPES: Record<TargetFormat, string> = {
  csv: 'text/csv',
  ndjson: 'application/x-ndjson',
  json: 'application/json',
  parquet: 'application/vnd.apache.parquet',
};

export interface WrittenRows {
  rows: number;
  bytes: number;
  /** Whether a NaN or an infinity became null in the file. */
  isLossy: boolean;
}

const ALL = Number.MAX_SAFE_INTEGER - 1;

/**
 * Writes all rows of an internal statement to a file. Parquet keeps their types; text formats show values like the
 * results of queries.
 */
export async function writeRows(engine: Engine, sql: string, format: TargetFormat, path: string): Promise<WrittenRows> {
  if (format === 'parquet') return { ...(await engine.copyToParquet(sql, { path })), isLossy: false };
  if (format === 'json') return writeJson(engine, sql, path);
  const wanted = { format, limit: ALL, maxBytes: Number.POSITIVE_INFINITY, path };
  const { rowCount, bytes, warnings } = await writeResultFile(engine, sql, wanted);
  return { rows: rowCount, bytes, isLossy: warnings.length > 0 };
}

async function writeJson(engine: Engine, sql: string, path: string): Promise<WrittenRows> {
  const { batches } = await engine.rowTexts(sql, { limit: ALL, shape: 'object' });
  let rows = 0;
  let isLossy = false;
  async function* pieces(): AsyncGenerator<string> {
    yield '[';
    for await (const batch of batches) {
      if (batch.rows.length > 0) yield `${rows > 0 ? ',' : ''}\n${batch.rows.join(',\n')}`;
      rows += batch.rows.length;
      isLossy ||= batch.lossy;
    }
    yield '\n]\n';
  }
  await pipeline(Readable.from(pieces()), createWriteStream(path));
  return { rows, bytes: (await stat(path)).size, isLossy };
}
