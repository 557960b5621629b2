import { DataError } from '../../platform/errors/data-error.ts';
import { didYouMean } from '../../platform/text/nearest.ts';
import { scanLines } from '../duckdb/csv-lines.ts';
import type { Engine } from '../duckdb/engine.ts';
import { quoteLiteral } from '../duckdb/quoting.ts';
import { columnNames } from '../duckdb/unique-column-names.ts';
import {
  type CsvDialect,
  type CsvOptions,
  detectDialect,
  namedDelimiter,
  type RaggedRows,
  skippedBy,
} from './csv-dialect.ts';
import { declaredTest } from './declared-types.ts';
import { rejectTooWide, unreadable } from './file-format.ts';
import { plainColumns } from './plain-columns.ts';
import type { PlainColumns } from './plain-records.ts';
import { firstLinesOf, withoutTexts } from './skipped-lines.ts';
import { TYPE_CASTS, type TypeTest, typeTestsOf } from './text-types.ts';

/** A column of a CSV file. */
export interface CsvColumn {
  name: string;
  /** Its type, if that is proven for all of its values. The rows have values of the type then, and texts otherwise. */
  plain?: string;
  /** Whether it is proven that some value is of no other type than text. */
  isText?: true;
  tests: readonly TypeTest[];
  declared?: { type: string; test: TypeTest | undefined };
}

export interface CsvRows {
  /** A relation with a column for each of `columns`. */
  sql: string;
  columns: CsvColumn[];
  /** Whether all rows have as many values as there are columns; undefined if that is not known. */
  areRegular?: true;
}

interface OpenCsv {
  path: string;
  dialect: CsvDialect;
  columns: CsvColumn[];
}

/** Opens a UTF-8 CSV file. With `isWhole`, all of it is looked at for columns of plain values. */
export async function openRows(engine: Engine, given: string, options: CsvOptions, isWhole: boolean): Promise<CsvRows> {
  const csv = await openCsv(engine, given, options);
  const plain = isWhole && mayBePlain(csv, options) ? await plainTypes(csv) : undefined;
  return rowsOf(csv, options, plain);
}

async function openCsv(engine: Engine, given: string, options: CsvOptions): Promise<OpenCsv> {
  const named = await namedDelimiter(given);
  const lines = Math.max(skippedBy(options), named === undefined ? 0 : 1);
  const skipped = await firstLinesOf(given, lines);
  const written = { ...options, ...(named !== undefined && { delimiter: options.delimiter ?? named }) };
  const dialect = await detectDialect(given, written, { lines, bytes: skipped.length });
  if (dialect.firstRecord.length === 0) throw unreadable('The CSV file is empty.');
  rejectTooWide(dialect.firstRecord);
  const names = columnNames(dialect.header ? dialect.firstRecord : dialect.firstRecord.map(() => ''));
  const path = await withReadableTitles(engine, given, skipped, dialect.quote);
  return { path, dialect, columns: csvColumns(names, options) };
}

async function rowsOf(csv: OpenCsv, options: CsvOptions, plain: PlainColumns | undefined): Promise<CsvRows> {
  if (plain) return plainRows(csv, options, plain);
  const { path, dialect, columns } = csv;
  const isShared = await canShare(path, dialect, options.raggedRows);
  return { sql: readCsv(path, { columns, dialect, options, isShared }), columns };
}

function plainRows({ path, dialect, columns: all }: OpenCsv, options: CsvOptions, plain: PlainColumns): CsvRows {
  const isShared = options.raggedRows !== 'pad' && !plain.hasQuotedLines;
  const columns = all.map((column, i) => withPlainType(column, options, plain.types[i]!, plain.areTexts[i]!));
  return { sql: readCsv(path, { columns, dialect, options, isShared }), columns, areRegular: true };
}

/** Only a single thread can distinguish a padded row from a line end within quotes. */
async function canShare(path: string, dialect: CsvDialect, ragged: RaggedRows | undefined): Promise<boolean> {
  const isPadded = ragged === 'pad';
  const { hasQuotedLines, openQuoteLine } = await scanLines(path, { ...dialect, ...(isPadded ? { minBytes: 0 } : {}) });
  const isShared = !isPadded && !hasQuotedLines;
  if (!isShared && openQuoteLine !== undefined) throw unreadable(openQuote(openQuoteLine));
  return isShared;
}

/** Whether lines are read as they are, and values mean what their texts say. */
const mayBePlain = ({ dialect }: OpenCsv, { nullValues, nullStrings }: CsvOptions): boolean =>
  dialect.skippedLines === 0 && !nullValues?.length && !nullStrings?.length;

const plainTypes = ({ path, dialect }: OpenCsv): Promise<PlainColumns | undefined> =>
  plainColumns(path, { ...dialect, width: dialect.firstRecord.length });

function withPlainType(
  column: CsvColumn,
  { decimalSeparator, dateFormat }: CsvOptions,
  types: readonly string[],
  isText: boolean,
): CsvColumn {
  const { declared } = column;
  const foreign = [
    ...(decimalSeparator === ',' ? ['double'] : []),
    ...(dateFormat === undefined ? [] : ['date', 'timestamp']),
  ];
  const usual = types.filter((type) => !foreign.includes(type));
  const plain = declared ? usual.find((type) => type === declared.type) : usual[0];
  if (plain !== undefined) return { ...column, plain };
  // The names of months begin with letters.
  return isText && dateFormat === undefined ? { ...column, isText } : column;
}

interface Reading {
  columns: readonly CsvColumn[];
  dialect: CsvDialect;
  options: CsvOptions;
  /** Whether several threads may read parts of the file. */
  isShared: boolean;
}

function readCsv(path: string, { columns, dialect, options, isShared }: Reading): string {
  const { nullValues = options.nullStrings ?? [], raggedRows = 'refuse' } = options;
  const types = columns.map(({ name, plain }) => `${quoteLiteral(name)}: '${plain ? TYPE_CASTS[plain] : 'VARCHAR'}'`);
  return `read_csv(${quoteLiteral(path)}, auto_detect = false, columns = {${types.join(', ')}},
    header = ${dialect.header}, skip = ${dialect.skippedLines}, delim = ${quoteLiteral(dialect.delimiter)},
    quote = ${quoteLiteral(dialect.quote)}, escape = ${quoteLiteral(dialect.quote)},
    nullstr = [${['', ...nullValues].map(quoteLiteral).join(', ')}], allow_quoted_nulls = false, strict_mode = true,
    ${READ_RAGGED[raggedRows]}, parallel = ${isShared})`;
}

/** With more bad rows than this the file is probably not what the user expected. */
export const MAX_REJECTED = 100_000;

const READ_RAGGED: Record<RaggedRows, string> = {
  refuse: 'null_padding = false, ignore_errors = false',
  pad: 'null_padding = true, ignore_errors = false',
  // Unless it stores rejects, DuckDB also leaves out good rows near bad ones.
  skip: `null_padding = false, store_rejects = true, rejects_table = 'bad_rows', rejects_scan = 'bad_scans', rejects_limit = ${MAX_REJECTED + 1}`,
};

export const openQuote = (line: unknown) => `Line ${line}: a quote is not closed, or text follows a closing quote.`;

async function withReadableTitles(engine: Engine, path: string, titles: Buffer, quote: string): Promise<string> {
  if (quote === '' || !titles.includes(quote)) return path;
  const copy = engine.temporaryPath('csv');
  await withoutTexts(path, titles, copy);
  return copy;
}

/** Throws SCHEMA_MISMATCH for every declared column that the file does not have. */
function csvColumns(names: readonly string[], options: CsvOptions): CsvColumn[] {
  const { types = {} } = options;
  const missing = Object.keys(types).filter((name) => !names.includes(name));
  if (missing.length > 0) {
    const issue = (name: string) => `types: there is no column "${name}"${didYouMean(name, names)}`;
    throw DataError.ofIssues(missing.map((name) => ({ code: 'SCHEMA_MISMATCH' as const, message: issue(name) })));
  }
  const tests = typeTestsOf(options);
  return names.map((name) => {
    const type = Object.hasOwn(types, name) ? types[name] : undefined;
    return { name, tests, ...(type === undefined ? {} : { declared: { type, test: declaredTest(type, options) } }) };
  });
}
