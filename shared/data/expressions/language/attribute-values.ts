import { dateLiteral, datetimeLiteral } from './literals.ts';
import type { ExpressionType } from './types.ts';

const INTEGER = /^[+-]?\d{1,18}$/;
/** As many digits as the engines keep of a decimal number. */
const DECIMAL = /^[+-]?\d{1,29}(\.\d{1,9})?$/;
const NUMBER = /^[+-]?(\d{1,200}(\.\d{0,200})?|\.\d{1,200})([eE][+-]?\d{1,3})?$/;
const TIME = /^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d)?$/;

type Read = (text: string) => string | undefined;

const matching =
  (pattern: RegExp): Read =>
  (text) =>
    pattern.test(text) ? text : undefined;

const READ: Partial<Record<ExpressionType, Read>> = {
  integer: matching(INTEGER),
  decimal: matching(DECIMAL),
  number: (text) => (NUMBER.test(text) && Number.isFinite(Number(text)) ? text : undefined),
  boolean: matching(/^(true|false)$/),
  date: (text) => dateLiteral(text) && text,
  datetime: (text) => {
    const literal = datetimeLiteral(text);
    // Without an offset, it is a time of UTC, as all dates of policies are.
    return literal && 'text' in literal ? `${literal.text.replace(/Z$/, '')}+00` : undefined;
  },
  time: matching(TIME),
};

/** The types of fields that an attribute can be compared with. */
export const isComparableWithAttribute = (type: ExpressionType): boolean =>
  type === 'string' || READ[type] !== undefined;

/** The text of an attribute as a text that every engine reads as the type; undefined if it is no value of it. */
export function attributeValue(text: string, type: ExpressionType): string | undefined {
  return type === 'string' ? text : READ[type]?.(text.trim());
}
