import { DataError } from '../../platform/errors/data-error.ts';
import type { Column } from '../duckdb/column-types.ts';
import { scanLines } from '../duckdb/csv-lines.ts';
import type { Engine } from '../duckdb/engine.ts';
import { quoteIdentifier, quoteLiteral } from '../duckdb/quoting.ts';
import { columnNames } from '../duckdb/unique-column-names.ts';
import type { ColumnChange } from './changed-values.ts';
import { type CsvOptions, detectDialect, type RaggedRows } from './csv-dialect.ts';
import { rejectTooWide, unreadable } from './file-format.ts';
import { castOf, fittingTypes, TYPE_CASTS, TYPE_TESTS, typedValue } from './text-types.ts';

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
  const dialect = await detectDialect(path, options);
  if (dialect.firstRecord.length === 0) throw unreadable('The CSV file is empty.');
  rejectTooWide(dialect.firstRecord);
  const names = columnNames(dialect.header ? dialect.firstRecord : dialect.firstRecord.map(() => ''));
  const nulls = ['', ...(options.nullStrings ?? [])].map(quoteLiteral).join(', ');
  const ragged = options.raggedRows ?? 'refuse';
  // Only a single thread can distinguish a padded row from a line end within quotes.
  const { hasQuotedLines, openQuoteLine } = await scanLines(path, {
    ...dialect,
    ...(ragged === 'pad' ? { minBytes: 0 } : {}),
  });
  const isShared = ragged !== 'pad' && !hasQuotedLines;
  if (!isShared && openQuoteLine !== undefined) throw unreadable(openQuote(openQuoteLine));
  const texts = `read_csv(${quoteLiteral(path)}, auto_detect = false,
    columns = {${names.map((name) => `${quoteLiteral(name)}: 'VARCHAR'`).join(', ')}},
    header = ${dialect.header}, delim = ${quoteLiteral(dialect.delimiter)},
    quote = ${quoteLiteral(dialect.quote)}, escape = ${quoteLiteral(dialect.quote)},
    nullstr = [${nulls}], allow_quoted_nulls = false, strict_mode = true, ${READ_RAGGED[ragged]},
    parallel = ${isShared})`;
  const isCounted = ragged === 'skip' && typeSample === undefined;
  const rejected = isCounted ? await rejectedRows(engine, texts) : undefined;
  const relation = (types: readonly string[], select: (typed: readonly Column[]) => string): FileRelation => {
    const columns = names.map((name, i) => ({ name, type: types[i]! }));
    return { sql: select(columns), columns, ...(rejected && { rejected }) };
  };
  const typed = (columns: readonly Column[]) =>
    `SELECT ${columns.map((each) => `${typedValue(each)} AS ${quoteIdentifier(each.name)}`).join(', ')} FROM ${texts}`;
  const guessed = await guessTypes(engine, texts, names, typeSample ?? SAMPLE_ROWS);
  const types = guessed.map((type) => type ?? 'string');
  if (typeSample !== undefined) return relation(types, typed);
  return {
    ...relation(types, (columns) => checkedRows(texts, columns, guessed)),
    proven: async () => relation(await provenTypes(engine, texts, names, guessed), typed),
  };
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
function guessTypes(engine: Engine, texts: string, names: readonly string[], sample: number) {
  const beginning = `(SELECT * FROM ${texts} LIMIT ${sample})`;
  return fittingTypes(
    engine,
    beginning,
    names.map((name) => ({ name, tests: TYPE_TESTS })),
  );
}

/** Verifies each guess on all rows and repeats the detection for columns whose guess was wrong. */
async function provenTypes(
  engine: Engine,
  texts: string,
  names: readonly string[],
  guessed: readonly (string | undefined)[],
): Promise<string[]> {
  const doubtful = names.map((name, i) => ({ name, tests: TYPE_TESTS.filter(([type]) => type === guessed[i]) }));
  const proven = await fittingTypes(engine, texts, doubtful);
  const unclear = names.filter((_, i) => guessed[i] !== 'string' && guessed[i] !== proven[i]);
  const found = await fittingTypes(
    engine,
    texts,
    unclear.map((name) => ({ name, tests: TYPE_TESTS })),
  );
  return names.map((name, i) => (unclear.includes(name) ? found[unclear.indexOf(name)] : guessed[i]) ?? 'string');
}

/** The values of `typedValue`, checked against their types while they are read. */
function checkedRows(texts: string, columns: readonly Column[], guessed: readonly (string | undefined)[]): string {
  const read = columns.flatMap(({ name, type }, i) => {
    const column = quoteIdentifier(name);
    return [`${column} AS c${i}`, ...(TYPE_CASTS[type] ? [`${castOf(column, type)} AS v${i}`] : [])];
  });
  const values = columns.map(
    ({ name, type }, i) => `${checkedValue(`c${i}`, `v${i}`, type, guessed[i])} AS ${quoteIdentifier(name)}`,
  );
  return `SELECT ${values.join(', ')} FROM (SELECT ${read.join(', ')} FROM ${texts})`;
}

function checkedValue(text: string, value: string, type: string, guessed: string | undefined): string {
  // The message includes the value, because a constant expression could be evaluated before any row is read.
  const misfit = `error(concat('${MISFIT}: ', ${text}))`;
  const trimmed = `trim(${text})`;
  if (guessed === undefined) return `CASE WHEN ${trimmed} <> '' THEN ${misfit} ELSE ${text} END`;
  const test = TYPE_TESTS.find(([tested]) => tested === type)?.[1];
  if (!test) return text;
  // No text with surrounding white space passes the test, so most values need not be trimmed.
  return `CASE WHEN ${test(text, value)} THEN ${value} WHEN ${text} IS NULL OR ${trimmed} = '' THEN NULL
    WHEN ${test(trimmed, castOf(trimmed, type))} THEN ${trimmed}::${TYPE_CASTS[type]} ELSE ${misfit} END`;
}
