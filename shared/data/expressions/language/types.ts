/**
 * The data types of fields. `number` is a 64-bit float; `integer` and `decimal` are exact; `datetime` is an instant.
 */
export const DATA_TYPES = [
  'string',
  'number',
  'integer',
  'decimal',
  'boolean',
  'date',
  'datetime',
  'time',
  'geo',
] as const;

export type DataType = (typeof DATA_TYPES)[number];

/**
 * The type of an expression. `texts` is a list of texts, `attribute` is a text or a list of texts, `null` is the type
 * of a bare NULL, and `unknown` is the type of what could not be checked.
 */
export type ExpressionType = DataType | 'texts' | 'attribute' | 'null' | 'unknown';

/** Exact types first: each type holds the values of those before it. */
const NUMERIC: readonly ExpressionType[] = ['integer', 'decimal', 'number'];

export const isNumeric = (type: ExpressionType): boolean => NUMERIC.includes(type);
export const isCalendar = (type: ExpressionType): boolean => type === 'date' || type === 'datetime';

/** The type to which values of both types convert without loss of meaning; undefined if there is none. */
export function commonType(a: ExpressionType, b: ExpressionType): ExpressionType | undefined {
  if (a === b) return a;
  if (a === 'unknown' || b === 'unknown') return 'unknown';
  if (a === 'null') return b;
  if (b === 'null') return a;
  if (isNumeric(a) && isNumeric(b)) return NUMERIC[Math.max(NUMERIC.indexOf(a), NUMERIC.indexOf(b))];
  return isCalendar(a) && isCalendar(b) ? 'datetime' : undefined;
}

/** Whether a value of the type can be used where one of the accepted types is expected. */
export function isAccepted(type: ExpressionType, accepted: readonly DataType[]): boolean {
  if (type === 'unknown' || type === 'null') return true;
  return accepted.some((target) => type === target || (target === 'number' && isNumeric(type)));
}
