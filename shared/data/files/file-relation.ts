import { DataError } from '../../platform/errors/data-error.ts';
import type { Engine } from '../duckdb/engine.ts';
import { quoteLiteral } from '../duckdb/quoting.ts';
import { textFormat } from './content-format.ts';
import type { CsvOptions } from './csv-dialect.ts';
import { openQuote } from './csv-rows.ts';
import { csvRelation, declaredMisfit, type FileRelation } from './csv-source.ts';
import { binaryFormat, checkJsonArray, checkSignature, isGzip, unreadable } from './file-format.ts';
import type { FileFormat } from './formats.ts';
import { gunzip } from './gunzip.ts';
import { nameInFile } from './json-member-names.ts';
import { checkJsonShape } from './json-shape.ts';
import { jsonRelation } from './json-source.ts';
import { parquetRelation } from './parquet-source.ts';
import { asUtf8, type TextEncoding } from './text-encoding.ts';
import { type CellErrors, type SheetOptions, sheetToCsv } from './xlsx-sheet-to-csv.ts';

export interface FileSource {
  path: string;
  format: FileFormat;
  /** Whether only the name of the file indicates the format, so that its content may show another. */
  isHint?: boolean;
  /** Compression of the whole text. The decompressed size is limited. */
  compression?: 'gzip';
  options?: CsvOptions & SheetOptions & { encoding?: TextEncoding };
}

/**
 * Opens a file: checks its signature and encoding, and detects its columns. Throws FILE_UNREADABLE with the place of
 * the issue.
 */
export async function openFile(
  engine: Engine,
  source: FileSource,
  typeSample?: number,
): Promise<FileRelation & { format: FileFormat }> {
  const path = await decompressed(engine, source);
  const format = (source.isHint && (await binaryFormat(path))) || source.format;
  await checkSignature(path, format);
  const { isHint = false, options = {} } = source;
  if (format === 'parquet' || format === 'xlsx') {
    return { ...(await binaryRelation(engine, path, { format, options }, typeSample)), format };
  }
  const text = await asUtf8(path, options.encoding, engine.temporaryPath('txt'));
  const actual = await textFormat(text, format, isHint);
  if (actual === 'csv') return { ...(await csvRelation(engine, exact(text), options, typeSample)), format: actual };
  if (actual === 'json') await checkJsonArray(text);
  const shape = await checkJsonShape(text, actual);
  const reading = { format: actual, shape, ...(typeSample === undefined ? {} : { typeSample }) };
  return { ...(await jsonRelation(engine, exact(text), reading)), format: actual };
}

async function binaryRelation(
  engine: Engine,
  path: string,
  { format, options }: { format: 'parquet' | 'xlsx'; options: NonNullable<FileSource['options']> },
  typeSample: number | undefined,
): Promise<FileRelation> {
  if (format === 'xlsx') {
    const csv = engine.temporaryPath('csv');
    const { errors } = await sheetToCsv(path, options, csv, typeSample);
    const dialect = { delimiter: ',', quote: '"', header: options.header ?? true };
    const relation = await csvRelation(engine, csv, dialect, typeSample);
    return typeSample === undefined ? withChanges(relation, errors) : relation;
  }
  const read = `read_parquet([${quoteLiteral(exact(path))}], hive_partitioning = false)`;
  return parquetRelation(engine, read, typeSample);
}

/** Reports cells with errors as values of their columns that became null. */
function withChanges(relation: FileRelation, errors: readonly CellErrors[]): FileRelation {
  const changes = errors.map(({ column, cells, isEmptied, examples }) => ({
    column: relation.columns[column]!.name,
    nulls: cells,
    rounded: 0,
    examples,
    ...(isEmptied ? { isEmptied } : {}),
  }));
  const { proven } = relation;
  return {
    ...relation,
    ...(changes.length > 0 ? { changes } : {}),
    ...(proven ? { proven: async () => withChanges(await proven(), errors) } : {}),
  };
}

async function decompressed(engine: Engine, { path, format, compression }: FileSource): Promise<string> {
  const isText = format !== 'parquet' && format !== 'xlsx';
  if (compression === undefined && !(isText && (await isGzip(path)))) return path;
  const copy = engine.temporaryPath('unpacked');
  await gunzip(path, copy);
  return copy;
}

/** DuckDB would treat these characters as a pattern for several files. */
function exact(path: string): string {
  if (/[*?[\]{}]/.test(path)) throw new TypeError(`the path of a file must not contain wildcards: ${path}`);
  return path;
}

/** Padding cannot make room for further values. */
function raggedRow(line: unknown, expected: number, found: number): string {
  const way =
    found > expected
      ? '"skip" to leave such rows out'
      : '"pad" to fill such rows with null, or "skip" to leave them out';
  return `Line ${line}: expected ${expected} values, found ${found}. Set headerRow if the names are in another row, or raggedRows: ${way}.`;
}

const REASONS: [pattern: RegExp, sentence: (match: RegExpExecArray) => string][] = [
  [
    /CSV Error on Line: (\d+)[\s\S]*Expected Number of Columns: (\d+) Found: (\d+)/,
    ([, line, expected, found]) => raggedRow(line, Number(expected), Number(found)),
  ],
  [/CSV Error on Line: (\d+)[\s\S]*unterminated quote/, ([, line]) => openQuote(line)],
  [/CSV Error on Line: (\d+)[\s\S]*Maximum line size/i, ([, line]) => `Line ${line}: the line is too long.`],
  [/CSV Error on Line: (\d+)/, ([, line]) => `Line ${line}: the line is not valid CSV.`],
  [
    /state machine reached an invalid state/,
    () => 'The file is not valid CSV: it may mix line ends or contain a stray quote.',
  ],
  [
    /Malformed JSON.*at byte (\d+) in line (\d+): ([^\n]*?)\.? *$/m,
    // DuckDB counts from 2 here.
    ([, byte, line, reason]) => `Line ${Number(line) - 1} (not counting empty ones), byte ${byte}: ${reason}.`,
  ],
  [
    /in record\/value (\d+): Object .* has duplicate key "(.*)"$/ms,
    ([, record, name = '']) =>
      `Record ${record}: the member ${JSON.stringify(nameInFile(name))} occurs more than once.`,
  ],
  [
    /JSON transform error in file .*, in record\/value (\d+): ([^\n]*)/,
    ([, record, reason]) => `Record ${record}: ${reason}.`,
  ],
  [/Malformed JSON[^:]*: ([^\n]*?)\.? *$/m, ([, reason]) => `The JSON is malformed: ${reason}.`],
  [/Footer length error|magic bytes|TProtocol|thrift|decompress|parquet/i, () => 'The Parquet file is damaged.'],
  [/maximum_object_size.*?of (\d+) bytes/s, ([, most]) => `A record has more than ${most} bytes.`],
  [/expected records/, () => 'The file must contain JSON objects.'],
  [
    /Expected top-level JSON array/,
    () => 'The file is not a JSON array; if each line holds one object, use the format ndjson.',
  ],
];

/** Runs `work` and translates DuckDB's errors about the file into sentences with the line. */
export async function readingFile<T>(
  { format, filter }: { format: FileFormat; filter?: string },
  read: () => Promise<T>,
): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof DataError) || error.code !== 'SQL_ERROR') throw error;
    const misfit = declaredMisfit(error);
    if (misfit) throw new DataError('SCHEMA_MISMATCH', misfit, { cause: error });
    for (const [pattern, sentence] of REASONS) {
      const match = pattern.exec(error.message);
      if (match) throw unreadable(sentence(match), error);
    }
    if (isOf(error, ['Conversion'])) throw new DataError('SCHEMA_MISMATCH', error.message, { cause: error });
    // The metadata of a Parquet file is trusted at first. If it is wrong, reading can fail in many ways.
    if (format === 'parquet' && filter === undefined && !isOf(error, ['Binder', 'Catalog'])) {
      throw unreadable('The Parquet file is damaged.', error);
    }
    throw error;
  }
}

/** Whether the engine's exception has one of these types. `Conversion` means that a value does not fit its type. */
const isOf = ({ cause }: DataError, types: readonly string[]) =>
  cause instanceof Error && types.some((type) => cause.message.includes(`"exception_type":"${type}"`));
