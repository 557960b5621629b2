import { DataError } from '../../platform/errors/data-error.ts';
import type { Column } from '../duckdb/column-types.ts';
import type { Engine } from '../duckdb/engine.ts';
import { quoteIdentifier, quoteLiteral } from '../duckdb/quoting.ts';
import type { ColumnChange } from './changed-values.ts';
import type { CsvOptions } from './csv-dialect.ts';
import { type CsvColumn, type CsvRows, MAX_REJECTED, openQuote, openRows } from './csv-rows.ts';
import { unreadable } from './file-format.ts';
import { fittingTypes, readAs, TYPE_CASTS, typedValue } from './text-types.ts';

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
 * fit it unchanged: `007` stays text. An unquoted empty value is null, a quoted one is an empty text. Columns of plain
 * values are proven before; for others the first rows nearly always determine the type, so the statement checks values
 * while it reads, and the rows are converted only once.
 */
export async function csvRelation(
  engine: Engine,
  path: string,
  options: CsvOptions,
  typeSample?: number,
): Promise<FileRelation> {
  const isWhole = typeSample === undefined;
  const rows = await openRows(engine, path, options, isWhole);
  const { columns } = rows;
  const isCounted = options.raggedRows === 'skip' && isWhole && !rows.areRegular;
  const rejected = isCounted ? await rejectedRows(engine, rows) : undefined;
  const relation = (types: readonly string[], select: (typed: readonly Column[]) => string): FileRelation => {
    const typed = columns.map(({ name }, i) => ({ name, type: types[i]! }));
    return { sql: select(typed), columns: typed, ...(rejected && { rejected }) };
  };
  const typed = (of: readonly Column[]) =>
    `SELECT ${of.map((each, i) => `${provenValue(each, columns[i]!)} AS ${quoteIdentifier(each.name)}`).join(', ')} FROM ${rows.sql}`;
  const guessed = await guessTypes(engine, rows, typeSample ?? SAMPLE_ROWS);
  const types = guessed.map((type) => type ?? 'string');
  if (!isWhole) return relation(types, typed);
  return {
    ...relation(types, (of) => checkedRows(rows, of, guessed)),
    proven: async () => relation(await provenTypes(engine, rows, guessed), typed),
  };
}

/** The relation with types that fit all values, for statements that do not read every value. */
export const provenRelation = async (relation: FileRelation): Promise<FileRelation> =>
  relation.proven ? relation.proven() : relation;

const MISFIT = 'A value has another type than those of the first rows';

/** Whether a statement failed because a value does not fit the type guessed from the first rows. */
export const isMisfit = (error: unknown): boolean => error instanceof DataError && error.message.includes(MISFIT);

/**
 * Reads all values once and returns the rejected rows. Throws FILE_UNREADABLE for rows that are broken in another way,
 * and for too many of them.
 */
async function rejectedRows(engine: Engine, { sql }: CsvRows): Promise<RejectedRows | undefined> {
  // The engine stores the rejects of all files in the same tables.
  for (const table of ['bad_rows', 'bad_scans']) await engine.run(`DROP TABLE IF EXISTS ${table}`);
  await engine.run(`SELECT bit_xor(hash(input)) FROM ${sql} AS input`);
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

const knownType = ({ plain, declared, isText }: CsvColumn) => plain ?? declared?.type ?? (isText && 'string');

/** Undefined for a column without values. */
async function guessTypes(engine: Engine, { sql, columns }: CsvRows, sample: number) {
  const asked = columns.filter((column) => knownType(column) === undefined);
  const found = await fittingTypes(engine, `(SELECT * FROM ${sql} LIMIT ${sample})`, asked);
  return columns.map((column) => knownType(column) ?? found[asked.indexOf(column)]);
}

/** Verifies each guess on all rows and repeats the detection for columns whose guess was wrong. */
async function provenTypes(
  engine: Engine,
  { sql, columns }: CsvRows,
  guessed: readonly (string | undefined)[],
): Promise<string[]> {
  // A value that fits no type has proven a column of texts.
  const asked = columns
    .map((column, i) => ({ ...column, guess: guessed[i] }))
    .filter((column) => knownType(column) === undefined && column.guess !== 'string');
  const proven = await fittingTypes(
    engine,
    sql,
    asked.map(({ name, tests, guess }) => ({ name, tests: tests.filter(([type]) => type === guess) })),
  );
  const unclear = asked.filter(({ guess }, i) => guess !== proven[i]);
  const found = await fittingTypes(engine, sql, unclear);
  return columns.map(({ name }, i) => {
    const place = unclear.findIndex((each) => each.name === name);
    return (place < 0 ? guessed[i] : found[place]) ?? 'string';
  });
}

/** The values of `provenValue`, checked against their types while they are read. */
function checkedRows(
  { sql, columns }: CsvRows,
  typed: readonly Column[],
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
  return `SELECT ${values.join(', ')} FROM (SELECT ${read.join(', ')} FROM ${sql})`;
}

function testOf({ plain, declared, tests }: CsvColumn, type: string) {
  if (plain !== undefined) return undefined;
  return declared ? declared.test : tests.find(([tested]) => tested === type);
}

/** The value of a column whose type is proven. Nothing proves a declared type, unless all values are plain. */
function provenValue(typed: Column, column: CsvColumn): string {
  const [name, test] = [quoteIdentifier(typed.name), column.declared?.test];
  if (column.plain !== undefined) return name;
  if (test) return checkedValue(name, readAs(name, test), column, typed.type);
  return typedValue(typed, column.tests);
}

// Messages include the value, because a constant expression could be evaluated before any row is read.
const blankValue = (text: string) => `CASE WHEN trim(${text}) <> '' THEN ${misfit(text)} ELSE ${text} END`;
const misfit = (text: string) => `error(concat('${MISFIT}: ', ${text}))`;

function checkedValue(text: string, value: string, column: CsvColumn, type: string): string {
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
