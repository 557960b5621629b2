import { escapePointer } from './json-pointer.ts';

/** What DynamoDB stores as a number, besides zero. */
const MAX_MAGNITUDE = 9.999e125;
const MIN_MAGNITUDE = 1e-130;

/** Spells a number that may be outside of the range: few texts do, so that the parsed value is rarely searched. */
const SUSPICIOUS = /\d[eE][+-]?\d{3}|\d{126}|\.0{100}|\.inf|\.nan/i;

export const NUMBER_RANGE = {
  code: 'NUMBER_RANGE',
  message: 'must be 0, or between 1e-130 and 1e125 in magnitude',
} as const;

/** The pointer of the first number in a value, parsed from `text`, that the table cannot store. */
export function numberOutOfRange(text: string, value: unknown): string | undefined {
  return SUSPICIOUS.test(text) ? placeIn(value) : undefined;
}

function placeIn(value: unknown): string | undefined {
  if (typeof value === 'number') return isStorable(value) ? undefined : '';
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [name, member] of Object.entries(value)) {
    const inner = placeIn(member);
    if (inner !== undefined) return `/${escapePointer(name)}${inner}`;
  }
  return undefined;
}

/** False for infinity and NaN, too. */
const isStorable = (value: number) =>
  value === 0 || (Math.abs(value) <= MAX_MAGNITUDE && Math.abs(value) >= MIN_MAGNITUDE);
