import { invalid } from './errors.ts';

/**
 * DynamoDB numbers: exact decimals of up to 38 significant digits with magnitudes from 1E-130 to 9.99…E+125, stored as
 * text in plain notation without superfluous zeros, so that equal numbers are equal texts.
 */

const SIGNIFICANT_DIGITS = 38;
const MAX_EXPONENT = 125;
const MIN_EXPONENT = -130;
const NUMBER = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,9}))?$/;
const PLAIN_INTEGER = /^(?:0|-?[1-9]\d{0,20})$/;

/** `d₁.d₂d₃… × 10^exponent`; `digits` has neither leading nor trailing zeros and is empty for zero. */
interface Decimal {
  negative: boolean;
  digits: string;
  exponent: number;
}

/**
 * The canonical text of a number. Throws `ValidationException` for a text that is not a number, or one too long, large
 * or small.
 */
export function canonicalNumber(text: string): string {
  if (PLAIN_INTEGER.test(text)) return text;
  const decimal = parseDecimal(text);
  if (!decimal) {
    throw invalid(`The parameter cannot be converted to a numeric value${text === '' ? '' : `: ${text}`}`);
  }
  return storable(decimal);
}

export function addNumbers(a: string, b: string): string {
  const sum = Number(a) + Number(b);
  if (a.length <= 15 && b.length <= 15 && Number.isSafeInteger(sum) && isInteger(a) && isInteger(b)) return String(sum);
  const [left, right] = [parseDecimal(a) as Decimal, parseDecimal(b) as Decimal];
  const scale = Math.min(lowestPower(left), lowestPower(right));
  const total = scaled(left, scale) + scaled(right, scale);
  return storable(parseDecimal(`${total}e${scale}`) as Decimal);
}

export function subtractNumbers(a: string, b: string): string {
  return addNumbers(a, negated(b));
}

/** Compares two canonical numbers: negative, zero or positive. */
export function compareNumbers(a: string, b: string): number {
  if (a === b) return 0;
  // Up to 15 significant digits, a double keeps different decimals apart and in order.
  if (a.length <= 15 && b.length <= 15) return Number(a) - Number(b);
  return Buffer.compare(encodeNumber(a), encodeNumber(b));
}

/**
 * Bytes that sort like the numbers: a sign byte, the exponent, then two digits per byte; all of it inverted for a
 * negative number. Negative numbers end with the highest byte, because of two with a common beginning the longer one is
 * smaller.
 */
export function encodeNumber(text: string): Buffer {
  const { negative, digits, exponent } = parseDecimal(text) as Decimal;
  if (digits === '') return Buffer.from([0x80]);
  const bytes = [negative ? 0x7f : 0x81];
  const biased = exponent - MIN_EXPONENT;
  bytes.push(negative ? 255 - biased : biased);
  for (let at = 0; at < digits.length; at += 2) {
    const pair = Number(digits.slice(at, at + 2).padEnd(2, '0'));
    bytes.push(negative ? 100 - pair : pair + 1);
  }
  if (negative) bytes.push(0xff);
  return Buffer.from(bytes);
}

/**
 * Size of a number within its item: one byte, one per two significant digits before and after the decimal point, and
 * one for a minus sign.
 */
export function numberSize(text: string): number {
  const { negative, digits, exponent } = parseDecimal(text) as Decimal;
  const before = Math.min(digits.length, Math.max(0, exponent + 1));
  return 1 + Math.ceil(before / 2) + Math.ceil((digits.length - before) / 2) + (negative ? 1 : 0);
}

function parseDecimal(text: string): Decimal | undefined {
  const match = NUMBER.exec(text);
  if (!match || (!match[2] && !match[3])) return undefined;
  const whole = match[2] ?? '';
  const all = whole + (match[3] ?? '');
  let start = 0;
  while (start < all.length && all.charCodeAt(start) === 48) start += 1;
  let end = all.length;
  while (end > start && all.charCodeAt(end - 1) === 48) end -= 1;
  const exponent = whole.length - 1 - start + Number(match[4] ?? 0);
  return { negative: match[1] === '-' && end > start, digits: all.slice(start, end), exponent };
}

function storable(decimal: Decimal): string {
  if (decimal.digits === '') return '0';
  if (decimal.exponent > MAX_EXPONENT) {
    throw invalid('Number overflow. Attempting to store a number with magnitude larger than supported range');
  }
  if (decimal.exponent < MIN_EXPONENT) {
    throw invalid('Number underflow. Attempting to store a number with magnitude smaller than supported range');
  }
  if (decimal.digits.length > SIGNIFICANT_DIGITS) {
    throw invalid('Attempting to store more than 38 significant digits in a Number');
  }
  return plainText(decimal);
}

function plainText({ negative, digits, exponent }: Decimal): string {
  const sign = negative ? '-' : '';
  if (exponent < 0) return `${sign}0.${'0'.repeat(-exponent - 1)}${digits}`;
  const whole = digits.slice(0, exponent + 1).padEnd(exponent + 1, '0');
  const fraction = digits.slice(exponent + 1);
  return fraction === '' ? sign + whole : `${sign}${whole}.${fraction}`;
}

function isInteger(text: string): boolean {
  return !text.includes('.');
}

function negated(text: string): string {
  if (text === '0') return text;
  return text.startsWith('-') ? text.slice(1) : `-${text}`;
}

/** The power of ten of the last digit. */
function lowestPower({ digits, exponent }: Decimal): number {
  return digits === '' ? 0 : exponent - digits.length + 1;
}

function scaled(decimal: Decimal, scale: number): bigint {
  if (decimal.digits === '') return 0n;
  const magnitude = BigInt(decimal.digits) * 10n ** BigInt(lowestPower(decimal) - scale);
  return decimal.negative ? -magnitude : magnitude;
}
