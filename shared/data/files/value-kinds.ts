/** What a text of a table seems to be, whatever type its column gets. */
export type ValueKind = 'number' | 'date' | 'time' | 'boolean' | 'text';

const ABSENT = /^(?:|[-–—.…?]+|n\/?a|n\.\s?a\.?|nan|null|nil|none|unknown|missing|#n\/a)$/i;
const DATE = /^\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}(?:\D.*)?$/s;
const TIME = /^\d{1,2}:\d\d(?::\d\d(?:[.,]\d+)?)?$/;
const NUMBER = /^[-+]?[.,]?\d[\d.,]*%?(?:[eE][-+]?\d+)?$/;
const BOOLEAN = /^(?:true|false)$/i;

/** Undefined for a text that stands for no value, such as `n/a`. */
export function kindOf(value: string): ValueKind | undefined {
  const text = value.trim();
  if (ABSENT.test(text)) return undefined;
  if (DATE.test(text)) return 'date';
  if (NUMBER.test(text)) return 'number';
  if (TIME.test(text)) return 'time';
  return BOOLEAN.test(text) ? 'boolean' : 'text';
}

export const isFilled = (value: string | undefined): value is string => value !== undefined && value.trim() !== '';

const YEAR = /^(?:19|20)\d\d$/;
export const isYear = (value: string): boolean => YEAR.test(value.trim());
