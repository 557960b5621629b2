import { type Decimal, decimalOf, digitsText, rounded, shifted, trimmed } from '../../platform/text/decimal.ts';
import { numberText, signed } from '../../platform/text/number-text.ts';
import { currencyDigits, currencySymbol } from './currency.ts';
import { numberPattern, patternText } from './number-pattern.ts';

/** How a model or a metric shows the values of a measure. */
export interface MeasureFormat {
  kind: 'number' | 'percent' | 'currency' | 'duration' | 'date';
  decimals?: number | undefined;
  currency?: string | undefined;
  pattern?: string | undefined;
  abbreviate?: boolean | undefined;
}

/** Of percentages whose format names none. */
const PERCENT_DECIMALS = 2;
const ABBREVIATED_DECIMALS = 2;
const ABBREVIATIONS = ['', 'K', 'M', 'B', 'T'];

/** A number in the format of a measure; in none if the format does not fit numbers. */
export function measureNumber(value: number | string, format: MeasureFormat | null): string {
  const decimal = decimalOf(value);
  if (!format || !decimal) return numberText(value);
  const pattern = format.pattern === undefined ? undefined : numberPattern(format.pattern);
  if (pattern) return patternText(decimal, pattern);
  return numberIn(format, decimal) ?? numberText(value);
}

/** How many decimals a number has at most in a format that names none; undefined for all of them. */
export function usualDecimals({ kind, currency, abbreviate }: MeasureFormat): number | undefined {
  if (kind === 'percent') return PERCENT_DECIMALS;
  if (abbreviate) return ABBREVIATED_DECIMALS;
  return kind === 'currency' ? currencyDigits(currency) : undefined;
}

function numberIn(format: MeasureFormat, decimal: Decimal): string | undefined {
  const { kind, decimals } = format;
  switch (kind) {
    case 'percent': {
      const share = rounded(shifted(decimal, 2), decimals ?? PERCENT_DECIMALS);
      return signed(share, `${fixedText(share, decimals)}%`);
    }
    case 'currency': {
      const symbol = currencySymbol(format.currency);
      if (format.abbreviate) return abbreviated(decimal, decimals, symbol);
      const amount = rounded(decimal, decimals ?? currencyDigits(format.currency));
      const isWhole = trimmed(amount).scale === 0;
      return signed(amount, symbol + fixedText(amount, decimals ?? (isWhole ? 0 : currencyDigits(format.currency))));
    }
    default: {
      if (format.abbreviate) return abbreviated(decimal, decimals, '');
      if (decimals === undefined) return undefined;
      const number = rounded(decimal, decimals);
      return signed(number, fixedText(number, decimals));
    }
  }
}

/** With exactly so many decimals; without a number of them, as many as the digits need. */
const fixedText = (decimal: Decimal, decimals?: number): string =>
  digitsText(trimmed(decimal, decimals), { ...(decimals !== undefined && { decimals }) });

export function abbreviated(
  decimal: Decimal,
  decimals: number | undefined,
  prefix: string,
  most = ABBREVIATED_DECIMALS,
): string {
  const short = (power: number) => rounded(shifted(decimal, -3 * power), decimals ?? most);
  const lengthOf = ({ digits, scale }: Decimal) => digits.length - scale;
  let power = Math.min(ABBREVIATIONS.length - 1, Math.floor((lengthOf(decimal) - 1) / 3));
  // 999,999 is a million, not 1,000 thousand.
  if (power < ABBREVIATIONS.length - 1 && lengthOf(short(power)) > 3) power += 1;
  const shown = short(power);
  return signed(shown, `${prefix}${fixedText(shown, decimals)}${ABBREVIATIONS[power]}`);
}
