import { createWriteStream } from 'node:fs';
import { stat, writeFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { DataError } from '../../platform/errors/data-error.ts';
import { arrowStream } from './arrow-stream.ts';
import { csvLine } from './csv-text.ts';
import type { Engine, QueryResult } from './engine.ts';
import type { EngineParameters } from './parameters.ts';
import type { ResultFileFormat, Spreadsheet } from './result-formats.ts';
import { spreadsheetHeadings } from './spreadsheet-csv.ts';
import { storedColumns } from './storage-types.ts';

export interface ResultFile extends Omit<QueryResult, 'rowsJson'> {
  bytes: number;
}

interface Wanted {
  format: ResultFileFormat;
  params?: EngineParameters;
  limit: number;
  maxBytes: number;
  /** Must be one of the outputs of the locked engine. */
  path: string;
  spreadsheet?: Spreadsheet | undefined;
}

/**
 * Writes the first `limit` rows of a single SELECT to a file. CSV and NDJSON show values like JSON results; Arrow and
 * Parquet keep their types. Throws RESULT_TOO_LARGE and errors of the statement.
 */
export function writeResultFile(engine: Engine, sql: string, wanted: Wanted): Promise<ResultFile> {
  return wanted.format === 'csv' || wanted.format === 'ndjson'
    ? writeText(engine, sql, wanted, wanted.format)
    : writeTyped(engine, sql, wanted, wanted.format);
}

async function writeText(engine: Engine, sql: string, wanted: Wanted, format: 'csv' | 'ndjson'): Promise<ResultFile> {
  const { params, limit, maxBytes, path, spreadsheet } = wanted;
  const shape = format === 'ndjson' ? 'object' : spreadsheet ? 'spreadsheet' : 'csv';
  const { columns, batches } = await engine.rowTexts(sql, { ...(params && { params }), limit: limit + 1, shape });
  const written: Pick<ResultFile, 'rowCount' | 'truncated' | 'warnings' | 'bytes'> = {
    rowCount: 0,
    truncated: false,
    warnings: [],
    bytes: 0,
  };

  const headings = spreadsheet ? spreadsheetHeadings(columns, spreadsheet) : columns.map(({ name }) => name);

  async function* pieces(): AsyncGenerator<string> {
    if (format === 'csv') yield counted(csvLine(headings));
    for await (const { rows, lossy } of batches) {
      const kept = rows.slice(0, limit - written.rowCount);
      written.rowCount += kept.length;
      written.truncated ||= kept.length < rows.length;
      if (lossy) written.warnings = ['NON_FINITE_AS_NULL'];
      yield counted(format === 'csv' ? kept.join('') : kept.map((row) => `${row}\n`).join(''));
    }
    if (spreadsheet?.truncationNote !== undefined && written.truncated)
      yield counted(csvLine([spreadsheet.truncationNote]));
  }

  function counted(text: string): string {
    written.bytes += Buffer.byteLength(text);
    if (written.bytes > maxBytes) throw tooLarge(maxBytes);
    return text;
  }

  await pipeline(Readable.from(pieces()), createWriteStream(path));
  return { columns, ...written };
}

const RESULT = 'temp.main.result';

/** The rows are stored in a temporary table first, to know whether there are more than requested. */
async function writeTyped(
  engine: Engine,
  sql: string,
  wanted: Wanted,
  format: 'arrow' | 'parquet',
): Promise<ResultFile> {
  const { params, limit, maxBytes, path } = wanted;
  const { columns, types } = await engine.keep(RESULT, sql, { ...(params && { params }), limit: limit + 1 });
  const [[kept] = []] = await engine.run(`SELECT count(*) FROM ${RESULT}`);
  const rowCount = Math.min(Number(kept), limit);
  const rows = `SELECT ${storedColumns(columns, types)} FROM ${RESULT} LIMIT ${limit}`;
  if (format === 'parquet') await engine.copyToParquet(rows, { path });
  else await writeFile(path, await arrowStream(engine, rows));
  const { size: bytes } = await stat(path);
  if (bytes > maxBytes) throw tooLarge(maxBytes);
  return { columns, rowCount, truncated: Number(kept) > limit, warnings: [], bytes };
}

const tooLarge = (maxBytes: number) =>
  new DataError('RESULT_TOO_LARGE', `The result is larger than ${maxBytes} bytes.`);
