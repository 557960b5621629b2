import { quoteLiteral } from '../duckdb/quoting.ts';
import type { ComparedAs, KeyKind, KeyOptions } from './key-types.ts';

export interface Comparison extends Omit<KeyOptions, 'as'> {
  as: ComparedAs;
}

/** Digits after the point with which decimals are compared; a value with more never matches. */
const SCALE = 10;
const DECIMAL = `DECIMAL(38, ${SCALE})`;

/** Spaces in the sense of people: those of ASCII, and the one that does not break. */
const SPACES = "' ' || chr(9) || chr(10) || chr(13) || chr(160)";
const trimmed = (text: string) => `trim(${text}, ${SPACES})`;

/**
 * The value of a column as it is compared, in DuckDB. Null for a value that does not convert without loss: it never
 * matches. Times are instants, those without a zone as if they were in UTC.
 */
export function comparedValue(column: string, kind: KeyKind, comparison: Comparison): string {
  switch (comparison.as) {
    case 'text':
      return textOf(column, kind, comparison);
    case 'integer':
      return integerOf(column, kind);
    case 'decimal':
      return decimalOf(column, kind);
    case 'date':
      return dateOf(column, kind, comparison);
    case 'datetime':
      return datetimeOf(column, kind, comparison);
    case 'uuid':
      return `TRY_CAST(${kind === 'text' ? trimmed(column) : column} AS UUID)`;
    case 'boolean':
      return kind === 'boolean'
        ? column
        : `CASE lower(${trimmed(column)}) WHEN 'true' THEN TRUE WHEN 'false' THEN FALSE END`;
  }
}

/** The same letter can be one code point or several, and both are the same text. */
function textOf(column: string, kind: KeyKind, { trim, caseInsensitive }: Comparison): string {
  const plain = kind === 'text' ? `nfc_normalize(${column})` : `CAST(${column} AS VARCHAR)`;
  const cut = trim ? trimmed(plain) : plain;
  return caseInsensitive ? `lower(${cut})` : cut;
}

/** A cast would round, and takes texts such as `1e3`. */
function integerOf(column: string, kind: KeyKind): string {
  if (kind === 'integer') return `TRY_CAST(${column} AS BIGINT)`;
  const text = kind === 'text' ? trimmed(column) : `CAST(${column} AS VARCHAR)`;
  return whereMatching(text, String.raw`[+-]?[0-9]+(\.0*)?`, `TRY_CAST(split_part(${text}, '.', 1) AS BIGINT)`);
}

function decimalOf(column: string, kind: KeyKind): string {
  if (kind === 'integer' || kind === 'number') return `TRY_CAST(${column} AS ${DECIMAL})`;
  const text = kind === 'text' ? trimmed(column) : `CAST(${column} AS VARCHAR)`;
  const value = kind === 'text' ? text : column;
  return whereMatching(text, String.raw`[+-]?[0-9]+(\.[0-9]{0,${SCALE}}0*)?`, `TRY_CAST(${value} AS ${DECIMAL})`);
}

const ISO_DATE = '[0-9]{4}-[0-9]{2}-[0-9]{2}';

function dateOf(column: string, kind: KeyKind, { timezone }: Comparison): string {
  switch (kind) {
    case 'text':
      return whereMatching(trimmed(column), ISO_DATE, `TRY_CAST(${trimmed(column)} AS DATE)`);
    case 'datetime':
      return `CAST(${column} AT TIME ZONE ${quoteLiteral(timezone!)} AS DATE)`;
    case 'localDatetime':
      return `CAST(${column} AT TIME ZONE 'UTC' AS DATE)`;
    default:
      return column;
  }
}

/** Without a zone, the time is one of the key's. Two times without a zone need none. */
function datetimeOf(column: string, kind: KeyKind, { timezone }: Comparison): string {
  if (kind === 'datetime' || timezone === undefined) return column;
  const zone = quoteLiteral(timezone);
  if (kind === 'localDatetime') return `(${column} AT TIME ZONE 'UTC') AT TIME ZONE ${zone}`;
  const text = trimmed(column);
  const time = String.raw`${ISO_DATE}[T ][0-9]{2}:[0-9]{2}(:[0-9]{2}(\.[0-9]{1,6})?)?`;
  const offset = '(Z|[+-][0-9]{2}(:?[0-9]{2})?)';
  return `CASE WHEN regexp_full_match(${text}, ${quoteLiteral(time + offset)}) THEN TRY_CAST(${text} AS TIMESTAMPTZ)
    WHEN regexp_full_match(${text}, ${quoteLiteral(time)}) THEN TRY_CAST(${text} AS TIMESTAMP) AT TIME ZONE ${zone} END`;
}

const whereMatching = (text: string, pattern: string, value: string): string =>
  `CASE WHEN regexp_full_match(${text}, ${quoteLiteral(pattern)}) THEN ${value} END`;
