import { quoteLiteral } from '../duckdb/quoting.ts';
import { raise } from './raise.ts';
import { digitsOf, fits, NULL, type Typed, trinoTypeOf } from './typed.ts';

/**
 * How texts are converted. DuckDB reads more and other spellings than Trino. Spellings that both read alike are cast,
 * spellings that only DuckDB reads fail the statement, and the rest is invalid in both.
 */
interface TextReading {
  plain: RegExp;
  /** Further spellings that only DuckDB reads. */
  rest: string;
  read(text: string, word: string): string;
}

/** White space that DuckDB ignores around a value. */
export const WHITE = quoteLiteral(' \t\n\v\f\r');

const DIGITS = '[0-9_]*[.]?[0-9_]+[.]?([eE][+-]?[0-9_]+)?';
const SEPARATED = '[0-9]+[-/ \\\\][0-9]+[-/ \\\\][0-9]+.*';
const INFINITE = '[iI][nN][fF]([iI][nN][iI][tT][yY])?';

const number = (plain: RegExp, more: string): TextReading => ({
  plain,
  rest: `^[+-]*(${DIGITS}${more})$`,
  read: (text, word) => `CAST(${text} AS ${word})`,
});
const time = (plain: RegExp, read: (text: string) => string): TextReading => ({
  plain,
  rest: `^[+-]?(${SEPARATED}|${INFINITE}|[eE][pP][oO][cC][hH])$`,
  read,
});

const READINGS: Record<string, TextReading> = {
  integer: number(/^[+-]?[0-9]+$/, '|0[xXbB][0-9a-fA-F_]+'),
  double: number(/^[+-]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][+-]?[0-9]+)?$/, `|${INFINITE}|[nN][aA][nN]`),
  decimal: number(/^[+-]?([0-9]+|[0-9]+[.][0-9]+)$/, ''),
  date: time(/^[0-9]{4}-[0-9]{2}-[0-9]{2}$/, (text) => `CAST(${text} AS date)`),
  timestamp: time(
    /^[0-9]{4}-[0-9]{2}-[0-9]{2}([ T][0-9]{2}:[0-9]{2}:[0-9]{2}([.][0-9]{1,6})?)?$/,
    (text) => `CAST(replace(${text}, 'T', ' ') AS timestamp(6))`,
  ),
};

const TRUE = "('true', 't', 'yes', 'y', '1')";
const FALSE = "('false', 'f', 'no', 'n', '0')";

/**
 * Casts a value with DuckDB's result, such as its rounding and the spellings it reads. `lenient` gives NULL for a value
 * that the type cannot hold. Undefined where the two engines cannot be made to agree.
 */
export function castTo(value: Typed, type: string, lenient: boolean): Typed | undefined {
  const word = trinoTypeOf(type);
  if (!word) return undefined;
  if (value.type === 'unknown') return { ...NULL, type };
  if (value.type === type) return { ...value };
  const sql = castSql(value, type, word, lenient);
  return sql === undefined ? undefined : { sql, type };
}

function castSql(value: Typed, type: string, word: string, lenient: boolean): string | undefined {
  if (value.type === 'null') return `CAST(NULL AS ${word})`;
  if (value.text !== undefined) return fromLiteral(value.text, type, word);
  if (value.type === 'string') return fromText(value.sql, type, word, lenient);
  if (type === 'integer' && value.type === 'double') return halfToEven(value.sql, lenient);
  if (!castsAlike(value.type, type)) return undefined;
  return `${lenient ? 'TRY_CAST' : 'CAST'}(${value.sql} AS ${word})`;
}

/** Whether a plain cast between two types, neither of them read from text, has the same result in both engines. */
function castsAlike(from: string, to: string): boolean {
  const isExactNumber = Boolean(digitsOf(from));
  // The text of a double differs between the engines, and so does that of a time.
  if (to === 'string') return ['integer', 'boolean', 'date'].includes(from) || isExactNumber;
  if (to === 'integer') return isExactNumber || from === 'boolean';
  // Each engine rounds a double in its own way to a decimal, so only exact numbers are cast.
  if (digitsOf(to) || to === 'double') return isExactNumber;
  if (to === 'boolean') return from === 'integer';
  return fits(from, 'time');
}

/** DuckDB rounds a double halfway between two integers to the even one, Trino away from zero. */
function halfToEven(value: string, lenient: boolean): string {
  const even = `CASE WHEN abs(${value} - truncate(${value})) = 0.5E0 THEN 2 * round(${value} / 2.0E0) ELSE round(${value}) END`;
  return `${lenient ? 'TRY_CAST' : 'CAST'}(${even} AS bigint)`;
}

function fromText(value: string, type: string, word: string, lenient: boolean): string {
  const otherwise = lenient
    ? ''
    : ` WHEN ${value} IS NOT NULL THEN ${raise(`A text that is not a valid ${type}`, value)}`;
  if (type === 'boolean') {
    const lower = `lower(${value})`;
    return `CASE WHEN ${lower} IN ${TRUE} THEN TRUE WHEN ${lower} IN ${FALSE} THEN FALSE${otherwise} END`;
  }
  const { plain, rest, read } = readingOf(type);
  const bare = `trim(BOTH ${WHITE} FROM ${value})`;
  const cast = read(bare, word);
  const refused = raise(`A text that only DuckDB reads as ${type}`, value);
  return (
    `CASE WHEN regexp_like(${bare}, '${plain.source}') THEN ${lenient ? cast.replace(/^CAST/, 'TRY_CAST') : cast}` +
    ` WHEN regexp_like(${bare}, '${rest}') THEN ${refused}${otherwise} END`
  );
}

const readingOf = (type: string) => READINGS[digitsOf(type) && type !== 'integer' ? 'decimal' : type]!;

/** Converts a literal of the statement; undefined if it is not a plain value of the type. */
function fromLiteral(text: string, type: string, word: string): string | undefined {
  if (type === 'boolean') {
    const folded = quoteLiteral(text.toLowerCase());
    return TRUE.includes(folded) ? 'TRUE' : FALSE.includes(folded) ? 'FALSE' : undefined;
  }
  if (!readingOf(type).plain.test(text)) return undefined;
  if (type === 'date') return `DATE ${quoteLiteral(text)}`;
  if (type !== 'timestamp') return `CAST(${quoteLiteral(text)} AS ${word})`;
  const full = text.length === 10 ? `${text} 00:00:00` : text.replace('T', ' ');
  return `CAST(TIMESTAMP ${quoteLiteral(full)} AS timestamp(6))`;
}
