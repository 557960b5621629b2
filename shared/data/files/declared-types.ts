import { decimalDigits, engineTypeOf } from '../duckdb/column-types.ts';
import { readDateFormat } from './date-format.ts';
import { plainNumber, type TextNotation, type TypeTest, withFormat } from './text-types.ts';

/** The types that columns of a CSV file can be declared to have. */
export const DECLARED_TYPE =
  '^(string|integer|double|boolean|date|time|timestamp|timestamptz|json|decimal\\(\\d{1,2},\\d{1,2}\\))$';

const FORMS: Record<string, string> = {
  integer: '[+-]?\\d+',
  double: '(?i)[+-]?((\\d+\\.?\\d*|\\.\\d+)(e[+-]?\\d+)?|inf|infinity)|nan',
  boolean: '(?i)true|false|t|f|yes|no|y|n|1|0',
  date: '\\d{4,}-\\d\\d-\\d\\d',
  time: '\\d\\d:\\d\\d(:\\d\\d(\\.\\d{1,6})?)?',
  timestamp: '\\d{4,}-\\d\\d-\\d\\d([T ]\\d\\d:\\d\\d(:\\d\\d(\\.\\d{1,6})?)?)?',
  timestamptz: '\\d{4,}-\\d\\d-\\d\\d[T ]\\d\\d:\\d\\d(:\\d\\d(\\.\\d{1,6})?)? ?(Z|[+-]\\d\\d(:?\\d\\d)?)',
  json: '(?s).*',
};

/**
 * How texts are read into a declared type: less strictly than into a detected one, since leading zeros and plus signs
 * then mean nothing, but never with a rounded value. Undefined for texts, which stay as they are.
 */
export function declaredTest(type: string, notation: TextNotation): TypeTest | undefined {
  if (type === 'string') return undefined;
  const decimal = decimalDigits(type);
  const form = decimal ? decimalForm(decimal.scale) : FORMS[type]!;
  const isNumber = decimal !== undefined || type === 'double' || type === 'integer';
  const read = (text: string) => (isNumber ? plainNumber(text, notation) : text);
  const test: TypeTest = [
    type,
    (text, value) => {
      const isRead = type === 'double' ? `(isfinite(${value}) OR ${text} ~ '(?i).*n.*')` : `${value} IS NOT NULL`;
      return `CASE WHEN regexp_full_match(${read(text)}, '${form}') THEN ${isRead} ELSE false END`;
    },
    { cast: (text) => `TRY_CAST(${read(text)} AS ${engineTypeOf(type)})` },
  ];
  const format = notation.dateFormat === undefined ? undefined : readDateFormat(notation.dateFormat);
  const isFormatted = format && !('issue' in format) && (type === format.type || type === 'timestamp');
  return isFormatted ? withFormat(test, format) : test;
}

/** Zeros beyond the scale round nothing. */
const decimalForm = (scale: number) =>
  scale === 0 ? '[+-]?\\d+(\\.0*)?' : `[+-]?(\\d+(\\.\\d{0,${scale}}0*)?|\\.\\d{1,${scale}}0*)`;
