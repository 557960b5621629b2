import { DataError } from '../../platform/errors/data-error.ts';
import { didYouMean } from '../../platform/text/nearest.ts';
import { scanLines } from '../duckdb/csv-lines.ts';
import type { Engine } from '../duckdb/engine.ts';
import { quoteLiteral } from '../duckdb/quoting.ts';
import { columnNames } from '../duckdb/unique-column-names.ts';
import { type CsvDialect, type CsvOptions, detectDialect, type RaggedRows, skippedBy } from './csv-dialect.ts';
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

/** Opens a UTF-8 CSV file. With `isWhole`, all of it is looked at for columns of plain values. */
export async function openRows(engine: Engine, given: string, options: CsvOptions, isWhole: boolean): Promise<CsvRows> {
  const skipped = await firstLinesOf(given, skippedBy(options));
  const dialect = await detectDialect(given, options, skipped.length);
  if (dialect.firstRecord.length === 0) throw unreadable('The CSV file is empty.');
  rejectTooWide(dialect.firstRecord);
  const names = columnNames(dialect.header ? dialect.firstRecord : dialect.firstRecord.map(() => ''));
  const path = await withReadableTitles(engine, given, skipped, dialect.quote);
  const plain = isWhole ? await plainTypes(path, dialect, options) : undefined;
  const isShared = plain
    ? options.raggedRows !== 'pad' && !plain.hasQuotedLines
    : await canShare(path, dialect, options.raggedRows);
  const columns = csvColumns(names, options).map((column, i) => withPlainType(column, plain?.types[i] ?? []));
  return { sql: readCsv(path, { columns, dialect, options, isShared }), columns, ...(plain && { areRegular: true }) };
}

/** Only a single thread can distinguish a padded row from a line end within quotes. */
async function canShare(path: string, dialect: CsvDialect, ragged: RaggedRows | undefined): Promise<boolean> {
  const isPadded = ragged === 'pad';
  const { hasQuotedLines, openQuoteLine } = await scanLines(path, { ...dialect, ...(isPadded ? { minBytes: 0 } : {}) });
  const isShared = !isPadded && !hasQuotedLines;
  if (!isShared && openQuoteLine !== undefined) throw unreadable(openQuote(openQuoteLine));
  return isShared;
}

/** Undefined if values have another meaning than their texts say, or lines are skipped. */
async function plainTypes(
  path: string,
  dialect: CsvDialect,
  { nullValues, nullStrings, decimalSeparator, dateFormat }: CsvOptions,
): Promise<PlainColumns | undefined> {
  if (dialect.skippedLines > 0 || nullValues?.length || nullStrings?.length) return undefined;
  const found = await plainColumns(path, { ...dialect, width: dialect.firstRecord.length });
  const foreign = [
    ...(decimalSeparator === ',' ? ['double'] : []),
    ...(dateFormat === undefined ? [] : ['date', 'timestamp']),
  ];
  return found && { ...found, types: found.types.map((types) => types.filter((type) => !foreign.includes(type))) };
}

function withPlainType(column: CsvColumn, types: readonly string[]): CsvColumn {
  const { declared } = column;
  const plain = declared ? types.find((type) => type === declared.type) : types[0];
  return plain === undefined ? column : { ...column, plain };
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
