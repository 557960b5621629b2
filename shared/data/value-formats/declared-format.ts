import { type Decimal, decimalOf, digitsText, rounded, shifted, trimmed } from '../../platform/text/decimal.ts';
import { numberText, signed } from '../../platform/text/number-text.ts';
import { currencyDigits, currencySymbol } from './currency.ts';
import { d3Number } from './d3-format.ts';
import { numberPattern, patternText } from './number-pattern.ts';

/** How a model or a metric shows the values of a measure. */
export interface MeasureFormat {
  kind: 'number' | 'percent' | 'currency' | 'duration' | 'date';
  decimals?: number | undefined;
  currency?: string | undefined;
  pattern?: string | undefined;
  abbreviate?: boolean | undefined;
}

/** How values are shown: as a measure declares it, or the text of a field, such as `0.00`, `EUR` or `percent`. */
export type DeclaredFormat = MeasureFormat | string;

/** Of percentages whose format names none. */
const PERCENT_DECIMALS = 2;
const ABBREVIATED_DECIMALS = 2;
const ABBREVIATIONS = ['', 'K', 'M', 'B', 'T'];

/** A number in its format; in none if the format does not fit numbers. */
export function formattedNumber(value: number | string, format: DeclaredFormat | null | undefined): string {
  const decimal = decimalOf(value);
  if (!format || !decimal) return numberText(value);
  const measure = measureFormat(format);
  if (!measure) return d3Number(format as string, value) ?? numberText(value);
  const pattern = measure.pattern === undefined ? undefined : numberPattern(measure.pattern);
  if (pattern) return patternText(decimal, pattern);
  return numberIn(measure, decimal) ?? numberText(value);
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

/** Labels of axes and legends are round: with so many digits they lose nothing. */
const COMPACT_DECIMALS = 6;

/** A number of an axis: in its format, with K, M, B or T in place of its last zeros, such as `25M` and `€1.5K`. */
export function compactNumber(value: number, format: DeclaredFormat | null | undefined): string {
  const decimal = decimalOf(value);
  const measure: MeasureFormat | undefined = format ? measureFormat(format) : { kind: 'number' };
  const pattern = measure?.pattern === undefined ? undefined : numberPattern(measure.pattern);
  const isAmount = measure?.kind === 'number' || measure?.kind === 'currency';
  if (!decimal || !measure || !isAmount || pattern?.isPercent || Math.abs(value) < 1000)
    return formattedNumber(value, format);
  const prefix = pattern?.prefix ?? (measure.kind === 'currency' ? currencySymbol(measure.currency) : '');
  return abbreviated(decimal, undefined, prefix, COMPACT_DECIMALS) + (pattern?.suffix ?? '');
}

/** With exactly so many decimals; without a number of them, as many as the digits need. */
const fixedText = (decimal: Decimal, decimals?: number): string =>
  digitsText(trimmed(decimal, decimals), { ...(decimals !== undefined && { decimals }) });

function abbreviated(
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

/** The format as that of a measure; undefined for a text that is none. */
export function measureFormat(format: DeclaredFormat): MeasureFormat | undefined {
  if (typeof format !== 'string') return format;
  const text = format.trim();
  if (/^[A-Z]{3}$/.test(text)) return { kind: 'currency', currency: text };
  if (/^percent(age)?$/i.test(text)) return { kind: 'percent' };
  if (/^number$/i.test(text)) return { kind: 'number' };
  return numberPattern(text) ? { kind: 'number', pattern: text } : undefined;
}
