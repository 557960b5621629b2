import type { Column } from '../duckdb/column-types.ts';
import type { Engine } from '../duckdb/engine.ts';
import { quoteIdentifier, quoteLiteral } from '../duckdb/quoting.ts';
import { type DateFormat, readDateFormat } from './date-format.ts';

/**
 * A type that texts may have, with SQL that is true if a text fits the type unchanged. It gets the text and the cast
 * value.
 */
export type TypeTest = readonly [
  type: string,
  test: (text: string, value: string) => string,
  details?: {
    /** A cheaper test that is true for most texts that fit, and for no others. */
    plain?: (text: string, value: string) => string;
    /** SQL for the value of a text that is not written as the engine writes it, or null. */
    cast?: (text: string) => string;
    /** An aggregate that must be true for the texts of a column as well. `filled` restricts it to those. */
    ofColumn?: (text: string, filled: string) => string;
  },
];

const MOMENT = '\\d{4}-\\d\\d-\\d\\d[T ]\\d\\d:\\d\\d(:\\d\\d(\\.\\d{1,6})?)?';

/** Evaluates the test only for texts of the right form: a cast that fails costs DuckDB more than ten that succeed. */
const ifLike = (text: string, form: string, test: string) =>
  `CASE WHEN regexp_full_match(${text}, '${form}') THEN ${test} ELSE false END`;

const isAsPrinted = (text: string, value: string) => `${value}::VARCHAR = ${text}`;

/** From the narrowest to the widest. */
export const TYPE_TESTS: readonly TypeTest[] = [
  ['boolean', (text) => `lower(${text}) IN ('true', 'false')`],
  ['integer', (text, value) => ifLike(text, '-?\\d+', isAsPrinted(text, value)), { plain: isAsPrinted }],
  ['double', isDouble, { plain: isPlainDouble, ofColumn: hasFractions }],
  [
    'date',
    (text, value) => ifLike(text, '\\d{4,}-\\d\\d-\\d\\d( \\(BC\\))?', isAsPrinted(text, value)),
    { plain: isAsPrintedDate },
  ],
  ['timestamp', (text, value) => ifLike(text, MOMENT, `${value} IS NOT NULL`), { plain: isAsPrintedMoment }],
  ['timestamptz', (text, value) => ifLike(text, `${MOMENT} ?(Z|[+-]\\d\\d(:?\\d\\d)?)`, `${value} IS NOT NULL`)],
];

export const TYPE_CASTS: Record<string, string> = {
  boolean: 'BOOLEAN',
  integer: 'BIGINT',
  double: 'DOUBLE',
  'decimal(38,0)': 'DECIMAL(38, 0)',
  date: 'DATE',
  timestamp: 'TIMESTAMP',
  timestamptz: 'TIMESTAMPTZ',
};

export const castOf = (text: string, type: string) => `TRY_CAST(${text} AS ${TYPE_CASTS[type]})`;

/** SQL for the value of a text, or null if it is not of the type. */
export const readAs = (text: string, [type, , details]: TypeTest) => details?.cast?.(text) ?? castOf(text, type);

/** How numbers and dates are written in a file. */
export interface TextNotation {
  decimalSeparator?: '.' | ',';
  /** The parts of a date, such as `%d.%m.%Y`; ISO 8601 if absent. */
  dateFormat?: string;
}

/** The types of columns whose texts are written in this notation. */
export function typeTestsOf(notation: TextNotation): readonly TypeTest[] {
  const { dateFormat } = notation;
  const formatted = dateFormat === undefined ? undefined : readDateFormat(dateFormat);
  return TYPE_TESTS.map((each) => {
    if (each[0] === 'double') return withSeparator(each, notation);
    if (!formatted || 'issue' in formatted || formatted.isLikeNumber || formatted.type !== each[0]) return each;
    return withFormat(each, formatted);
  });
}

/** How a number with thousands is written: `1.200` or `1.200,50`, but not the code `012.345`. */
const groupedForm = (group: string, decimal: string) => `[+-]?[1-9]\\d{0,2}(${group}\\d{3})+(${decimal}\\d*)?`;

const FORMS = { ',': groupedForm('\\.', ','), '.': groupedForm(',', '\\.') };

/**
 * A number as the engine writes it. If the separator of the fraction is given, the other one separates thousands.
 * Elsewhere they are exchanged, so that a point is not read as a decimal point.
 */
export function plainNumber(text: string, { decimalSeparator }: TextNotation): string {
  if (decimalSeparator === undefined) return text;
  const group = decimalSeparator === ',' ? '.' : ',';
  const [plain, grouped] =
    decimalSeparator === ','
      ? [`translate(${text}, ',.', '.,')`, `translate(${text}, ',.', '.')`]
      : [text, `replace(${text}, ',', '')`];
  const isGrouped = `contains(${text}, '${group}') AND regexp_full_match(${text}, '${FORMS[decimalSeparator]}')`;
  return `CASE WHEN ${isGrouped} THEN ${grouped} ELSE ${plain} END`;
}

function withSeparator([type, test, details]: TypeTest, notation: TextNotation): TypeTest {
  const { decimalSeparator } = notation;
  if (decimalSeparator === undefined) return [type, test, details];
  const read = (text: string) => plainNumber(text, notation);
  const { ofColumn, plain } = details ?? {};
  return [
    type,
    (text, value) => test(read(text), value),
    {
      cast: (text) => castOf(read(text), type),
      ...(decimalSeparator === '.' && plain && { plain }),
      ofColumn: (text, filled) =>
        `${ofColumn?.(read(text), filled) ?? 'true'} AND ${hasGroupedFractions(text, filled, decimalSeparator)}`,
    },
  ];
}

/** Without any fraction, `1.200` may as well be a code. */
function hasGroupedFractions(text: string, filled: string, decimalSeparator: '.' | ','): string {
  const group = decimalSeparator === ',' ? '.' : ',';
  return `(bool_and(NOT contains(${text}, '${group}')) ${filled} OR bool_or(contains(${text}, '${decimalSeparator}')) ${filled})`;
}

/** Texts of the format are only read by the format; others may still be ISO 8601. */
export function withFormat(each: TypeTest, { format, form }: DateFormat): TypeTest {
  const [type, test] = each;
  const isFormatted = (text: string) => `regexp_full_match(${text}, ${quoteLiteral(form)})`;
  return [
    type,
    (text, value) => `CASE WHEN ${isFormatted(text)} THEN ${value} IS NOT NULL ELSE ${test(text, value)} END`,
    {
      cast: (text) =>
        `CASE WHEN ${isFormatted(text)} THEN try_strptime(${text}, ${quoteLiteral(format)})::${TYPE_CASTS[type]} ELSE ${readAs(text, each)} END`,
    },
  ];
}

export interface TypeQuestion {
  name: string;
  tests: readonly TypeTest[];
}

/**
 * DuckDB compares all aggregates of a statement with each other: planning hundreds of columns in one statement would
 * take minutes.
 */
const AGGREGATES_AT_ONCE = 128;

/**
 * For each column, the first type that all its values fit, `string` if there is none, or undefined for a column without
 * values.
 */
export async function fittingTypes(
  engine: Engine,
  texts: string,
  columns: readonly TypeQuestion[],
): Promise<(string | undefined)[]> {
  const types: (string | undefined)[] = [];
  while (types.length < columns.length) {
    const batch: TypeQuestion[] = [];
    let aggregates = 0;
    for (const column of columns.slice(types.length)) {
      aggregates += column.tests.length + 1;
      if (batch.length > 0 && aggregates > AGGREGATES_AT_ONCE) break;
      batch.push(column);
    }
    types.push(...(await testTogether(engine, texts, batch)));
  }
  return types;
}

async function testTogether(
  engine: Engine,
  texts: string,
  columns: readonly TypeQuestion[],
): Promise<(string | undefined)[]> {
  const counted = columns.flatMap(({ name, tests }) => {
    const value = `trim(${quoteIdentifier(name)})`;
    const filled = `FILTER (WHERE ${value} <> '')`;
    return [
      `count(*) ${filled}`,
      ...tests.map((each) => {
        const [, test, details] = each;
        const fit = `bool_and(coalesce(${test(value, readAs(value, each))}, false)) ${filled}`;
        return details?.ofColumn ? `${fit} AND ${details.ofColumn(value, filled)}` : fit;
      }),
    ];
  });
  const [row = []] = await engine.run(`SELECT ${counted.join(', ')} FROM ${texts}`);
  let at = 0;
  return columns.map(({ tests }) => {
    const [filled, ...passed] = row.slice(at, at + tests.length + 1);
    at += tests.length + 1;
    return Number(filled) === 0 ? undefined : (tests[passed.indexOf(true)]?.[0] ?? 'string');
  });
}

/** SQL for the value of a text column whose type is known. Blank texts become null, except in columns of texts. */
export function typedValue({ name, type }: Column, tests: readonly TypeTest[] = TYPE_TESTS): string {
  const column = quoteIdentifier(name);
  const text = `nullif(trim(${column}), '')`;
  const cast = tests.find(([tested]) => tested === type)?.[2]?.cast?.(text);
  if (cast) return cast;
  return TYPE_CASTS[type] ? `${text}::${TYPE_CASTS[type]}` : column;
}

/**
 * Doubles hold any fifteen digits, and more if the shortest text of the double is the same number. An integer with an
 * exponent without a sign is a code: programs write `1e+05` or `1.0E5`.
 */
function isDouble(text: string, value: string): string {
  const form = '[+-]?(0|[1-9]\\d*)?(\\.\\d+)?([eE][+-]\\d+)?|[+-]?\\d*\\.\\d+[eE]\\d+|[+-]?(0|[1-9]\\d*)\\.';
  const decimal = (digits: string) => `TRY_CAST(${digits} AS DECIMAL(38, 20))`;
  const isSame = `lower(${text}) = ${value}::VARCHAR
    OR (length(${text}) <= 22 AND ${decimal(text)} = ${decimal(`${value}::VARCHAR`)})`;
  const isExact = `isfinite(${value}) AND CASE WHEN length(${text}) <= 15 THEN true ELSE ${isSame} END
    AND (${value} <> 0 OR NOT regexp_matches(${text}, '[1-9]'))`;
  return ifLike(text, form, isExact);
}

/** Digits with a point and without an exponent, of which a double holds any fifteen exactly. */
function isPlainDouble(text: string, value: string): string {
  const hasLeadingZero = `starts_with(${text}, '-0') OR (starts_with(${text}, '0') AND NOT starts_with(${text}, '0.'))`;
  return `${value} IS NOT NULL AND strlen(${text}) <= 15 AND NOT (${text} GLOB '*[!-0-9.]*' OR ${hasLeadingZero})`;
}

/** Other readers of Parquet have no infinite dates, so `infinity` is a text. */
function isAsPrintedDate(text: string, value: string): string {
  return `isfinite(${value}) AND ${isAsPrinted(text, value)}`;
}

/** The engine prints years before 1 and after 9999 and infinities as well, which are no moments in a file. */
function isAsPrintedMoment(text: string, value: string): string {
  return `substr(${text}, 14, 1) = ':' AND ${isAsPrinted(text, value)}`;
}

/**
 * Numbers such as `+5` and `5.` may also be codes: telephone numbers or ordinals. They are numbers in a column with
 * fractions.
 */
function hasFractions(text: string, filled: string): string {
  return `(bool_and(NOT starts_with(${text}, '+') AND NOT ends_with(${text}, '.')) ${filled}
    OR bool_or(regexp_full_match(${text}, '-?\\d*\\.\\d+')) ${filled})`;
}
