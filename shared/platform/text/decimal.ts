/** A decimal number with all of its digits: `digits` without a point, of which the last `scale` come after it. */
export interface Decimal {
  isNegative: boolean;
  digits: string;
  scale: number;
}

const NUMBER = /^([+-]?)(\d*)(?:\.(\d*))?(?:e([+-]?\d{1,4}))?$/i;
/** Longer numbers stay as they were written. */
const MAX_DIGITS = 2_000;

/** The number, without losing a digit; undefined for what is no finite number. */
export function decimalOf(value: number | string): Decimal | undefined {
  const [matched, sign, whole = '', fraction = '', exponent] = NUMBER.exec(String(value).trim()) ?? [];
  if (matched === undefined || whole + fraction === '') return undefined;
  const scale = fraction.length - Number(exponent ?? 0);
  if (Math.abs(scale) + whole.length + fraction.length > MAX_DIGITS) return undefined;
  const digits = whole + fraction + '0'.repeat(Math.max(0, -scale));
  return normalized({ isNegative: sign === '-', digits, scale: Math.max(0, scale) });
}

/** One digit before the point at least, and no zeros in front of it. Zero has no sign. */
function normalized({ isNegative, digits, scale }: Decimal): Decimal {
  const padded = digits.replace(/^0+/, '').padStart(scale + 1, '0');
  return { isNegative: isNegative && /[1-9]/.test(padded), digits: padded, scale };
}

/** The number times a power of ten. */
export const shifted = ({ isNegative, digits, scale }: Decimal, powers: number): Decimal =>
  normalized({
    isNegative,
    digits: digits + '0'.repeat(Math.max(0, powers - scale)),
    scale: Math.max(0, scale - powers),
  });

/** Rounded to so many digits after the point; a half is rounded away from zero. */
export function rounded(decimal: Decimal, decimals: number): Decimal {
  const surplus = decimal.scale - decimals;
  if (surplus <= 0) return decimal;
  const kept = BigInt(decimal.digits.slice(0, -surplus));
  const isUp = decimal.digits.at(-surplus)! >= '5';
  return normalized({ ...decimal, digits: String(isUp ? kept + 1n : kept), scale: decimals });
}

/** Without zeros at the end of the fraction, except for the first `decimals` digits. */
export function trimmed(decimal: Decimal, decimals = 0): Decimal {
  const zeros = /0*$/.exec(decimal.digits)![0].length;
  const surplus = Math.max(0, Math.min(zeros, decimal.scale - decimals));
  return surplus === 0
    ? decimal
    : { ...decimal, digits: decimal.digits.slice(0, -surplus), scale: decimal.scale - surplus };
}

export interface Written {
  /** How many digits the fraction has at least; zeros are added. */
  decimals?: number;
  isGrouped?: boolean;
}

/** The digits without the sign: `1,234.50`. */
export function digitsText({ digits, scale }: Decimal, { decimals = 0, isGrouped = true }: Written = {}): string {
  const whole = digits.slice(0, digits.length - scale);
  const fraction = digits.slice(digits.length - scale).padEnd(decimals, '0');
  const shown = isGrouped ? whole.replace(/\B(?=(\d{3})+$)/g, ',') : whole;
  return fraction === '' ? shown : `${shown}.${fraction}`;
}
