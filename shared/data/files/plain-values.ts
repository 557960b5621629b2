/**
 * Texts that are written as every reader writes a value of the type: `007` is no integer. As bits, since a text may be
 * of several types.
 */
export const [INTEGER, DOUBLE, DATE, TIMESTAMP, BOOLEAN] = [1, 2, 4, 8, 16] as const;
/** An empty text may be in a column of any type. */
export const EMPTY = 32;
export const ANY = INTEGER | DOUBLE | DATE | TIMESTAMP | BOOLEAN | EMPTY;
/** Set instead of all others once a value is of no type. */
export const TEXT = 64;

/** A double holds any so many digits exactly. */
export const DOUBLE_LENGTH = 15;
/** 64 bits hold any so many digits. */
const INTEGER_LENGTH = 18;
const [MINUS, POINT, ZERO, COLON, LETTER_T, SPACE, LETTER_A] = [0x2d, 0x2e, 0x30, 0x3a, 0x54, 0x20, 0x61];
/** Turns the capital letter of a byte into a small one. */
const SMALL = 0x20;

export const isDigit = (byte: number) => byte >= ZERO && byte <= ZERO + 9;

/**
 * The end of the value that begins at a place, and its types, in one number, because this is called for millions of
 * values: see `endIn` and `typesIn`. Whether the text ends there as well is for the caller to check.
 */
export function plainValue(bytes: Uint8Array, start: number): number {
  let at = bytes[start] === MINUS ? start + 1 : start;
  const first = bytes[at]!;
  if (!isDigit(first)) return at === start ? word(bytes, start) : packed(at, 0);
  do at += 1;
  while (first !== ZERO && isDigit(bytes[at]!));
  const next = bytes[at];
  if (next === POINT) return fraction(bytes, start, at);
  if (next === MINUS || isDigit(bytes[at]!)) return dateOrMoment(bytes, start);
  const length = at - start;
  const isNegativeZero = length === 2 && bytes[start] === MINUS && first === ZERO;
  if (length > INTEGER_LENGTH || isNegativeZero) return packed(at, 0);
  return packed(at, length > DOUBLE_LENGTH ? INTEGER : INTEGER | DOUBLE);
}

const TYPE_BITS = 6;
const packed = (end: number, types: number) => (end << TYPE_BITS) | types;
export const endIn = (value: number) => value >> TYPE_BITS;
export const typesIn = (value: number) => value & ((1 << TYPE_BITS) - 1);

function fraction(bytes: Uint8Array, start: number, point: number): number {
  let at = point + 1;
  while (isDigit(bytes[at]!)) at += 1;
  return packed(at, at > point + 1 && at - start <= DOUBLE_LENGTH ? DOUBLE : 0);
}

const MAX_YEAR = 9999;

/** `2026-01-31`, or `2026-01-31 10:30:00.5` with a blank or a `T`, of the years 1 to 9999. */
function dateOrMoment(bytes: Uint8Array, start: number): number {
  const year = two(bytes, start) * 100 + two(bytes, start + 2);
  const [month, day] = [two(bytes, start + 5), two(bytes, start + 8)];
  const hasForm = bytes[start + 4] === MINUS && bytes[start + 7] === MINUS;
  const isDate = year > 0 && year <= MAX_YEAR && day > 0 && day <= daysIn(year, month);
  if (!hasForm || !isDate) return packed(start, 0);
  const at = start + 10;
  const byte = bytes[at];
  return byte === SPACE || byte === LETTER_T ? moment(bytes, at + 1) : packed(at, DATE);
}

function moment(bytes: Uint8Array, start: number): number {
  const isTime =
    two(bytes, start) < 24 &&
    bytes[start + 2] === COLON &&
    two(bytes, start + 3) < 60 &&
    bytes[start + 5] === COLON &&
    two(bytes, start + 6) < 60;
  let at = start + 8;
  if (!isTime) return packed(start, 0);
  if (bytes[at] !== POINT) return packed(at, TIMESTAMP);
  const point = at;
  do at += 1;
  while (isDigit(bytes[at]!));
  return packed(at, at > point + 1 && at <= point + 7 ? TIMESTAMP : 0);
}

/** Too large for any part of a date. */
const NO_NUMBER = 1_000_000;

/** The number of two digits. */
function two(bytes: Uint8Array, at: number): number {
  const [high, low] = [bytes[at]!, bytes[at + 1]!];
  return isDigit(high) && isDigit(low) ? (high - ZERO) * 10 + low - ZERO : NO_NUMBER;
}

const DAYS = [0, 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

function daysIn(year: number, month: number): number {
  const isLeap = month === 2 && year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return isLeap ? 29 : (DAYS[month] ?? 0);
}

/** The first letters of values that are no texts: of `true`, of `false`, and of the exponent of a number. */
const FIRST_LETTERS = Buffer.from('tfe');

/** Whether the byte is a letter with which only texts begin, if dates have the usual notation. */
export function isWord(byte: number): boolean {
  const small = byte | SMALL;
  return small >= LETTER_A && small < LETTER_A + 26 && !FIRST_LETTERS.includes(small);
}

const WORDS = ['true', 'false'].map((text) => Buffer.from(text));

function word(bytes: Uint8Array, start: number): number {
  for (const known of WORDS) {
    let length = 0;
    while (length < known.length && (bytes[start + length]! | SMALL) === known[length]) length += 1;
    if (length === known.length) return packed(start + length, BOOLEAN);
  }
  return packed(start, 0);
}
