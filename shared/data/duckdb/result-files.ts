import { createWriteStream } from 'node:fs';
import { stat, writeFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { DataError } from '../../platform/errors/data-error.ts';
import { arrowStream } from './arrow-stream.ts';
import { csvLine } from './csv-text.ts';
import type { Engine, QueryResult } from './engine.ts';
import type { EngineParameters } from './parameters.ts';
import { quoteLiteral } from './quoting.ts';
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
  if (wanted.format === 'csv') return writeCsv(engine, sql, wanted);
  return wanted.format === 'ndjson' ? writeNdjson(engine, sql, wanted) : writeTyped(engine, sql, wanted, wanted.format);
}

/** The engine writes the lines, which takes half as long as reading them out of it. */
async function writeCsv(engine: Engine, sql: string, wanted: Wanted): Promise<ResultFile> {
  const { params, limit, maxBytes, path, spreadsheet } = wanted;
  const shape = spreadsheet ? 'spreadsheet' : 'csv';
  const columns = await engine.keepLines(RESULT, sql, { ...(params && { params }), limit: limit + 1, shape });
  const measured = async (rows: string) => {
    const [[count, lossy, bytes] = []] = await engine.run(
      `SELECT count(*), bool_or(lossy), sum(strlen(line)) FROM ${rows}`,
    );
    return { count: Number(count), lossy: lossy === true, bytes: Number(bytes ?? 0) };
  };
  const all = await measured(RESULT);
  const truncated = all.count > limit;
  // Only where it is needed, because a limit makes the engine read the rows on one thread.
  const lines = truncated ? `(SELECT line, lossy FROM ${RESULT} LIMIT ${limit})` : RESULT;
  const { count: rowCount, lossy, bytes: lineBytes } = truncated ? await measured(lines) : all;
  const headings = spreadsheet ? spreadsheetHeadings(columns, spreadsheet) : columns.map(({ name }) => name);
  const before = csvLine(headings);
  const note = spreadsheet?.truncationNote;
  const after = note !== undefined && truncated ? csvLine([note]) : '';
  const bytes = Buffer.byteLength(before + after) + lineBytes + rowCount * LINE_END.length;
  if (bytes > maxBytes) throw tooLarge(maxBytes);
  if (rowCount === 0) await writeFile(path, before + after);
  // There is one column, so no delimiter is written; without quotes, lines are written as they are.
  else
    await engine.run(`COPY (SELECT line FROM ${lines}) TO ${quoteLiteral(path)} (FORMAT csv, HEADER false,
      DELIMITER '\x01', QUOTE '', ESCAPE '', NEW_LINE ${quoteLiteral(LINE_END)},
      PREFIX ${quoteLiteral(before)}, SUFFIX ${quoteLiteral(LINE_END + after)})`);
  return { columns, rowCount, truncated, warnings: lossy ? ['NON_FINITE_AS_NULL'] : [], bytes };
}

const LINE_END = '\r\n';

async function writeNdjson(engine: Engine, sql: string, wanted: Wanted): Promise<ResultFile> {
  const { params, limit, maxBytes, path } = wanted;
  const options = { ...(params && { params }), limit: limit + 1, shape: 'object' } as const;
  const { columns, batches } = await engine.rowTexts(sql, options);
  const written: Pick<ResultFile, 'rowCount' | 'truncated' | 'warnings' | 'bytes'> = {
    rowCount: 0,
    truncated: false,
    warnings: [],
    bytes: 0,
  };

  async function* pieces(): AsyncGenerator<string> {
    for await (const { rows, lossy } of batches) {
      const kept = rows.slice(0, limit - written.rowCount);
      written.rowCount += kept.length;
      written.truncated ||= kept.length < rows.length;
      if (lossy) written.warnings = ['NON_FINITE_AS_NULL'];
      const text = kept.map((row) => `${row}\n`).join('');
      written.bytes += Buffer.byteLength(text);
      if (written.bytes > maxBytes) throw tooLarge(maxBytes);
      yield text;
    }
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
