import { DataError } from '../../platform/errors/data-error.ts';
import { didYouMean } from '../../platform/text/nearest.ts';
import type { Column } from '../duckdb/column-types.ts';
import { scanLines } from '../duckdb/csv-lines.ts';
import type { Engine } from '../duckdb/engine.ts';
import { quoteIdentifier, quoteLiteral } from '../duckdb/quoting.ts';
import { columnNames } from '../duckdb/unique-column-names.ts';
import type { ColumnChange } from './changed-values.ts';
import { type CsvOptions, detectDialect, type RaggedRows, skippedBy } from './csv-dialect.ts';
import { declaredTest } from './declared-types.ts';
import { rejectTooWide, unreadable } from './file-format.ts';
import { firstLinesOf, withoutTexts } from './skipped-lines.ts';
import { fittingTypes, readAs, TYPE_CASTS, type TypeTest, typedValue, typeTestsOf } from './text-types.ts';

/** A SELECT over a file, and its columns with the platform's types. */
export interface FileRelation {
  sql: string;
  columns: Column[];
  /** Rows that are left out, if the options allow that. Unknown for a file of which only the first rows were read. */
  rejected?: RejectedRows;
  /** Values that the relation does not keep exactly; unknown for a file of which only the first rows were read. */
  changes?: ColumnChange[];
  /**
   * Set if the types were guessed from the first rows. The statement then fails (`isMisfit`) at a value of another
   * type; this function finds the types that fit all values.
   */
  proven?: () => Promise<FileRelation>;
}

export interface RejectedRows {
  rows: number;
  /** Numbers of the lines, starting at 1. */
  firstLine: number;
}

/** A column of the file: its tests, or its declared type. */
interface TextColumn {
  name: string;
  tests: readonly TypeTest[];
  declared?: { type: string; test: TypeTest | undefined };
}

/**
 * Reads a UTF-8 CSV file strictly. A column gets a type only if the values (of the first `typeSample` rows, if given)
 * fit it unchanged: `007` stays text. An unquoted empty value is null, a quoted one is an empty text. The first rows
 * nearly always determine the types, so the statement checks values while it reads, and a file is read only once.
 */
export async function csvRelation(
  engine: Engine,
  path: string,
  options: CsvOptions,
  typeSample?: number,
): Promise<FileRelation> {
  const { texts, names } = await openTexts(engine, path, options);
  const columns = textColumns(names, options);
  const isCounted = options.raggedRows === 'skip' && typeSample === undefined;
  const rejected = isCounted ? await rejectedRows(engine, texts) : undefined;
  const relation = (types: readonly string[], select: (typed: readonly Column[]) => string): FileRelation => {
    const typed = names.map((name, i) => ({ name, type: types[i]! }));
    return { sql: select(typed), columns: typed, ...(rejected && { rejected }) };
  };
  const typed = (of: readonly Column[]) =>
    `SELECT ${of.map((each, i) => `${provenValue(each, columns[i]!)} AS ${quoteIdentifier(each.name)}`).join(', ')} FROM ${texts}`;
  const guessed = await guessTypes(engine, texts, columns, typeSample ?? SAMPLE_ROWS);
  const types = guessed.map((type) => type ?? 'string');
  if (typeSample !== undefined) return relation(types, typed);
  return {
    ...relation(types, (of) => checkedRows(texts, of, columns, guessed)),
    proven: async () => relation(await provenTypes(engine, texts, columns, guessed), typed),
  };
}

/** The names of the columns, and a relation in which all of their values are texts. */
async function openTexts(
  engine: Engine,
  given: string,
  options: CsvOptions,
): Promise<{ texts: string; names: string[] }> {
  const skipped = await firstLinesOf(given, skippedBy(options));
  const dialect = await detectDialect(given, options, skipped.length);
  if (dialect.firstRecord.length === 0) throw unreadable('The CSV file is empty.');
  rejectTooWide(dialect.firstRecord);
  const names = columnNames(dialect.header ? dialect.firstRecord : dialect.firstRecord.map(() => ''));
  const path = await withReadableTitles(engine, given, skipped, dialect.quote);
  const { nullValues = options.nullStrings ?? [], raggedRows: ragged = 'refuse' } = options;
  const nulls = ['', ...nullValues].map(quoteLiteral).join(', ');
  // Only a single thread can distinguish a padded row from a line end within quotes.
  const { hasQuotedLines, openQuoteLine } = await scanLines(path, {
    ...dialect,
    ...(ragged === 'pad' ? { minBytes: 0 } : {}),
  });
  const isShared = ragged !== 'pad' && !hasQuotedLines;
  if (!isShared && openQuoteLine !== undefined) throw unreadable(openQuote(openQuoteLine));
  const texts = `read_csv(${quoteLiteral(path)}, auto_detect = false,
    columns = {${names.map((name) => `${quoteLiteral(name)}: 'VARCHAR'`).join(', ')}},
    header = ${dialect.header}, skip = ${dialect.skippedLines}, delim = ${quoteLiteral(dialect.delimiter)},
    quote = ${quoteLiteral(dialect.quote)}, escape = ${quoteLiteral(dialect.quote)},
    nullstr = [${nulls}], allow_quoted_nulls = false, strict_mode = true, ${READ_RAGGED[ragged]},
    parallel = ${isShared})`;
  return { texts, names };
}

async function withReadableTitles(engine: Engine, path: string, titles: Buffer, quote: string): Promise<string> {
  if (quote === '' || !titles.includes(quote)) return path;
  const copy = engine.temporaryPath('csv');
  await withoutTexts(path, titles, copy);
  return copy;
}

/** Throws SCHEMA_MISMATCH for every declared column that the file does not have. */
function textColumns(names: readonly string[], options: CsvOptions): TextColumn[] {
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

/** The relation with types that fit all values, for statements that do not read every value. */
export const provenRelation = async (relation: FileRelation): Promise<FileRelation> =>
  relation.proven ? relation.proven() : relation;

const MISFIT = 'A value has another type than those of the first rows';

/** Whether a statement failed because a value does not fit the type guessed from the first rows. */
export const isMisfit = (error: unknown): boolean => error instanceof DataError && error.message.includes(MISFIT);

/** With more bad rows than this the file is probably not what the user expected. */
const MAX_REJECTED = 100_000;

const READ_RAGGED: Record<RaggedRows, string> = {
  refuse: 'null_padding = false, ignore_errors = false',
  pad: 'null_padding = true, ignore_errors = false',
  // Unless it stores rejects, DuckDB also leaves out good rows near bad ones.
  skip: `null_padding = false, store_rejects = true, rejects_table = 'bad_rows', rejects_scan = 'bad_scans', rejects_limit = ${MAX_REJECTED + 1}`,
};

export const openQuote = (line: unknown) => `Line ${line}: a quote is not closed, or text follows a closing quote.`;

/**
 * Reads all values once and returns the rejected rows. Throws FILE_UNREADABLE for rows that are broken in another way,
 * and for too many of them.
 */
async function rejectedRows(engine: Engine, texts: string): Promise<RejectedRows | undefined> {
  // The engine stores the rejects of all files in the same tables.
  for (const table of ['bad_rows', 'bad_scans']) await engine.run(`DROP TABLE IF EXISTS ${table}`);
  await engine.run(`SELECT bit_xor(hash(input)) FROM ${texts} AS input`);
  const ragged = "error_type IN ('MISSING COLUMNS', 'TOO MANY COLUMNS')";
  const [[rows, firstLine, brokenLine] = []] = await engine.run(
    `SELECT count(DISTINCT line), min(line), min(line) FILTER (WHERE NOT ${ragged}) FROM bad_rows`,
  );
  if (brokenLine !== null) throw unreadable(openQuote(brokenLine));
  if (Number(rows) > MAX_REJECTED) {
    throw unreadable(`More than ${MAX_REJECTED} rows have more or fewer values than there are columns.`);
  }
  return Number(rows) > 0 ? { rows: Number(rows), firstLine: Number(firstLine) } : undefined;
}

/** Types are guessed from this many rows; each guess is then verified on all rows. */
const SAMPLE_ROWS = 4_000;

/** Undefined for a column without values. */
async function guessTypes(engine: Engine, texts: string, columns: readonly TextColumn[], sample: number) {
  const beginning = `(SELECT * FROM ${texts} LIMIT ${sample})`;
  const asked = columns.filter(({ declared }) => !declared);
  const found = await fittingTypes(engine, beginning, asked);
  return columns.map((column) => column.declared?.type ?? found[asked.indexOf(column)]);
}

/** Verifies each guess on all rows and repeats the detection for columns whose guess was wrong. */
async function provenTypes(
  engine: Engine,
  texts: string,
  columns: readonly TextColumn[],
  guessed: readonly (string | undefined)[],
): Promise<string[]> {
  const asked = columns.map((column, i) => ({ ...column, guess: guessed[i] })).filter(({ declared }) => !declared);
  const proven = await fittingTypes(
    engine,
    texts,
    asked.map(({ name, tests, guess }) => ({ name, tests: tests.filter(([type]) => type === guess) })),
  );
  const unclear = asked.filter(({ guess }, i) => guess !== 'string' && guess !== proven[i]);
  const found = await fittingTypes(engine, texts, unclear);
  return columns.map(({ name }, i) => {
    const place = unclear.findIndex((each) => each.name === name);
    return (place < 0 ? guessed[i] : found[place]) ?? 'string';
  });
}

/** The values of `provenValue`, checked against their types while they are read. */
function checkedRows(
  texts: string,
  typed: readonly Column[],
  columns: readonly TextColumn[],
  guessed: readonly (string | undefined)[],
): string {
  const read = typed.flatMap(({ name, type }, i) => {
    const [column, test] = [quoteIdentifier(name), testOf(columns[i]!, type)];
    return [`${column} AS c${i}`, ...(test ? [`${readAs(column, test)} AS v${i}`] : [])];
  });
  const values = typed.map(({ name, type }, i) => {
    const column = columns[i]!;
    const value = guessed[i] === undefined ? blankValue(`c${i}`) : checkedValue(`c${i}`, `v${i}`, column, type);
    return `${value} AS ${quoteIdentifier(name)}`;
  });
  return `SELECT ${values.join(', ')} FROM (SELECT ${read.join(', ')} FROM ${texts})`;
}

const testOf = ({ declared, tests }: TextColumn, type: string) =>
  declared ? declared.test : tests.find(([tested]) => tested === type);

/** The value of a column whose type is proven. Nothing proves a declared type. */
function provenValue(typed: Column, column: TextColumn): string {
  const [name, test] = [quoteIdentifier(typed.name), column.declared?.test];
  if (test) return checkedValue(name, readAs(name, test), column, typed.type);
  return typedValue(typed, column.tests);
}

// Messages include the value, because a constant expression could be evaluated before any row is read.
const blankValue = (text: string) => `CASE WHEN trim(${text}) <> '' THEN ${misfit(text)} ELSE ${text} END`;
const misfit = (text: string) => `error(concat('${MISFIT}: ', ${text}))`;

function checkedValue(text: string, value: string, column: TextColumn, type: string): string {
  const trimmed = `trim(${text})`;
  const each = testOf(column, type);
  if (!each) return text;
  const [, test] = each;
  const failure = column.declared ? notDeclared(text, column.name, type) : misfit(text);
  const trimmedValue = each[2]?.cast || column.declared ? readAs(trimmed, each) : `${trimmed}::${TYPE_CASTS[type]}`;
  const plain = each[2]?.plain ? `WHEN ${each[2].plain(text, value)} THEN ${value}` : '';
  // No text with surrounding white space passes the tests, so most values need not be trimmed.
  return `CASE ${plain} WHEN ${test(text, value)} THEN ${value} WHEN ${text} IS NULL OR ${trimmed} = '' THEN NULL
    WHEN ${test(trimmed, readAs(trimmed, each))} THEN ${trimmedValue} ELSE ${failure} END`;
}

const NOT_DECLARED = 'A value is not of its declared type';

const notDeclared = (text: string, name: string, type: string) =>
  `error(concat(${quoteLiteral(`${NOT_DECLARED}: column "${name}" has "`)}, left(${text}, 80), ${quoteLiteral(`", which is not ${article(type)} ${type}.`)}))`;

const article = (type: string) => (type === 'integer' ? 'an' : 'a');

/** The value that is not of its declared type, if the statement failed because of one. */
export const declaredMisfit = ({ message }: DataError): string | undefined =>
  message.split(`${NOT_DECLARED}: `)[1]?.replace(/^c/, 'C');
