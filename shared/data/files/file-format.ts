import { open } from 'node:fs/promises';
import { DataError } from '../../platform/errors/data-error.ts';
import type { FileFormat } from './formats.ts';

const SIGNATURES: [bytes: string, name: string][] = [
  ['PAR1', 'Parquet'],
  ['PARE', 'encrypted Parquet'],
  ['PK\u0003\u0004', 'a ZIP archive (an Excel workbook is one)'],
  ['\u001f\u008b', 'gzip'],
  ['\u0028\u00b5\u002f\u00fd', 'Zstandard'],
  ['%PDF', 'PDF'],
  ['SQLite format 3', 'SQLite'],
  ['\u00d0\u00cf\u0011\u00e0', 'an old Office document'],
  ['ORC', 'ORC'],
  ['Obj\u0001', 'Avro'],
];

/** The binary format that the first bytes of a file show. */
export async function binaryFormat(path: string): Promise<'parquet' | 'xlsx' | undefined> {
  const { head } = await fileEdges(path);
  if (head.startsWith('PAR1')) return 'parquet';
  return head.startsWith('PK\u0003\u0004') ? 'xlsx' : undefined;
}

export const isGzip = async (path: string): Promise<boolean> => (await fileEdges(path)).head.startsWith('\u001f\u008b');

/** Throws FILE_UNREADABLE if the bytes of a file do not match its format, and names the format that they do match. */
export async function checkSignature(path: string, format: FileFormat): Promise<void> {
  const { head, tail, size } = await fileEdges(path);
  if (size === 0) throw format === 'ndjson' ? new NoRecords() : unreadable('The file is empty.');
  const found = SIGNATURES.find(([bytes]) => head.startsWith(bytes))?.[1];
  switch (format) {
    case 'parquet':
      return checkParquet(found, tail);
    case 'xlsx':
      if (!head.startsWith('PK')) throw unreadable(`The file is not an Excel workbook${found ? ` but ${found}` : ''}.`);
      return;
    default:
      checkText(format, found);
  }
}

function checkParquet(found: string | undefined, tail: string): void {
  if (found !== 'Parquet') throw unreadable(`The file is not Parquet${found ? ` but ${found}` : ''}.`);
  if (!tail.endsWith('PAR1')) throw unreadable('The Parquet file is incomplete: its end is missing.');
}

function checkText(format: FileFormat, found: string | undefined): void {
  // The header of a CSV file may begin with the letters ORC.
  if (!found || (found === 'ORC' && format === 'csv')) return;
  throw unreadable(`The file is not ${format.toUpperCase()} but ${found}.`);
}

/** Throws FILE_UNREADABLE for an incomplete array of UTF-8 JSON, which DuckDB reads as a shorter one. */
export async function checkJsonArray(path: string): Promise<void> {
  const { tail } = await fileEdges(path);
  if (!tail.trimEnd().endsWith(']')) {
    throw unreadable('The file is not a complete JSON array: it does not end with "]".');
  }
}

/** The first and the last bytes as Latin-1 text. */
async function fileEdges(path: string): Promise<{ head: string; tail: string; size: number }> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const read = async (position: number, length: number) =>
      (await file.read(Buffer.alloc(length), 0, length, position)).buffer.toString('latin1', 0, Math.min(length, size));
    return { head: await read(0, 16), tail: await read(Math.max(0, size - 256), 256), size };
  } finally {
    await file.close();
  }
}

/** A file of records without any record, so that its columns are unknown. */
export class NoRecords extends DataError {
  constructor() {
    super('FILE_UNREADABLE', 'The file has no records, so its columns are unknown.');
  }
}

/** Wider files take longer to plan than to read. */
export const MAX_COLUMNS = 2000;

/** Throws FILE_UNREADABLE if a file has too many columns. */
export function rejectTooWide({ length }: readonly unknown[]): void {
  if (length > MAX_COLUMNS) throw unreadable(`The file has ${length} columns; at most ${MAX_COLUMNS} are read.`);
}

export const unreadable = (message: string, cause?: unknown) => new DataError('FILE_UNREADABLE', message, { cause });
