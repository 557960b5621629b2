import { defaultLocale } from 'vega-format';
import { decimalOf, digitsText, rounded, shifted, trimmed } from '../../platform/text/decimal.ts';
import { MINUS, numberText, signed } from '../../platform/text/number-text.ts';

/** Vega's own, so that values look the same beside axes and on them. */
const locale = defaultLocale();

/** `,.2f`, `+.1%`, `$,d` and the like, whose digits are all written. */
const FIXED = /^([+-]?)(\$?)(,?)(?:\.(\d{1,2}))?(~?)([fd%]?)$/;

export interface FixedFormat {
  isSigned: boolean;
  prefix: string;
  isGrouped: boolean;
  /** Undefined for as many as the number has. */
  decimals: number | undefined;
  isTrimmed: boolean;
  isPercent: boolean;
}

/** The format, if it writes numbers digit by digit. */
export function fixedFormat(specifier: string): FixedFormat | undefined {
  const [matched, sign, symbol, comma, precision, tilde, type] = FIXED.exec(specifier) ?? [];
  // Without a type, a precision is one of significant digits.
  if (matched === undefined || (type === '' && precision !== undefined)) return undefined;
  return {
    isSigned: sign === '+',
    prefix: symbol!,
    isGrouped: comma !== '',
    decimals: type === '' ? undefined : type === 'd' ? 0 : Number(precision ?? 6),
    isTrimmed: tilde !== '',
    isPercent: type === '%',
  };
}

/**
 * The number in a format of d3, without losing a digit of exact decimals and large integers where the format writes
 * them all. Undefined for a text that is no format.
 */
export function d3Number(specifier: string, value: number | string): string | undefined {
  const fixed = fixedFormat(specifier);
  const decimal = decimalOf(value);
  if (!fixed || !decimal) return tryWrite(() => locale.format(specifier)(Number(value)));
  const { decimals, isGrouped, isTrimmed, isPercent, isSigned, prefix } = fixed;
  const sign = isSigned && !decimal.isNegative ? '+' : '';
  if (decimals === undefined) {
    const text = numberText(value, { isGrouped });
    return text.startsWith(MINUS) ? MINUS + prefix + text.slice(1) : sign + prefix + text;
  }
  const number = rounded(isPercent ? shifted(decimal, 2) : decimal, decimals);
  const digits = digitsText(trimmed(number, isTrimmed ? 0 : decimals), {
    decimals: isTrimmed ? 0 : decimals,
    isGrouped,
  });
  return sign + signed(number, `${prefix}${digits}${isPercent ? '%' : ''}`);
}

/** A moment in a format of d3, such as `%b %Y`. Undefined for a text that is none. */
export const d3Time = (specifier: string, ms: number): string | undefined =>
  specifier.includes('%') ? tryWrite(() => locale.utcFormat(specifier)(ms)) : undefined;

function tryWrite(write: () => string): string | undefined {
  try {
    return write();
  } catch {
    return undefined;
  }
}
