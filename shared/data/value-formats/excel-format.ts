import { currencyDigits, currencySymbol } from './currency.ts';
import { fixedFormat } from './d3-format.ts';
import { type DateToken, datePattern } from './date-pattern.ts';
import { type DeclaredFormat, measureFormat } from './declared-format.ts';
import { type NumberPattern, numberPattern } from './number-pattern.ts';

/** Formats of numbers and dates as spreadsheets write them. */

interface Shown {
  /** As the measure or field declares it. */
  format?: DeclaredFormat | null | undefined;
  /** The format of d3 that the chart gives the column, which comes first. */
  showAs?: string | undefined;
}

/** The code for numbers; undefined where a spreadsheet should show them as they are. */
export function excelNumberFormat({ format, showAs }: Shown): string | undefined {
  return (showAs && d3Code(showAs)) || (format ? declaredCode(format) : undefined);
}

/** The code for dates; undefined without a pattern. */
export function excelDateFormat({ format }: Shown): string | undefined {
  const pattern = typeof format === 'string' ? format : format?.pattern;
  const tokens = pattern === undefined || pattern.includes('%') ? undefined : datePattern(pattern);
  return tokens?.map(dateCode).join('');
}

/** `#,##0.00`. */
export const digitsCode = (decimals: number, isGrouped = true): string =>
  `${isGrouped ? '#,##0' : '0'}${decimals > 0 ? `.${'0'.repeat(decimals)}` : ''}`;

function d3Code(specifier: string): string | undefined {
  const fixed = fixedFormat(specifier);
  if (fixed?.decimals === undefined) return undefined;
  const { decimals, isGrouped, isPercent, prefix } = fixed;
  return `${quoted(prefix)}${digitsCode(decimals, isGrouped)}${isPercent ? '%' : ''}`;
}

function declaredCode(format: DeclaredFormat): string | undefined {
  const measure = measureFormat(format);
  if (!measure) return typeof format === 'string' ? d3Code(format) : undefined;
  const { kind, decimals, currency, pattern: text } = measure;
  const pattern = text === undefined ? undefined : numberPattern(text);
  if (pattern) return patternCode(pattern);
  if (kind === 'percent') return `${digitsCode(decimals ?? 2)}%`;
  if (kind === 'currency') return `${currencyCode(currency)}${digitsCode(decimals ?? currencyDigits(currency))}`;
  return decimals === undefined ? undefined : digitsCode(decimals);
}

function currencyCode(currency: string | undefined): string {
  const symbol = currencySymbol(currency);
  const name = symbol.trim();
  return name === '' ? '' : `[$${name}]${name === symbol ? '' : '\\ '}`;
}

function patternCode({
  prefix,
  suffix,
  minWhole,
  isGrouped,
  minDecimals,
  maxDecimals,
  isPercent,
}: NumberPattern): string {
  const whole = isGrouped
    ? '0'
        .repeat(minWhole)
        .padStart(4, '#')
        .replace(/(?=...$)/, ',')
    : '0'.repeat(minWhole) || '#';
  const fraction = maxDecimals > 0 ? `.${'0'.repeat(minDecimals).padEnd(maxDecimals, '#')}` : '';
  const after = isPercent ? suffix.split('%').map(quoted).join('%') : quoted(suffix);
  return `${quoted(prefix)}${whole}${fraction}${after}`;
}

function dateCode(token: DateToken): string {
  if ('literal' in token) return quoted(token.literal);
  const { part, length } = token;
  switch (part) {
    case 'month':
    case 'minute':
      return 'm'.repeat(length);
    case 'weekday':
      return length > 3 ? 'dddd' : 'ddd';
    case 'hour':
    case 'hour12':
      return 'h'.repeat(length);
    case 'half':
      return 'AM/PM';
    default:
      return part[0]!.repeat(length);
  }
}

/** Characters that a code would take for its own are escaped. */
const quoted = (text: string): string => text.replaceAll(/[^ .,:/-]/g, (character) => `\\${character}`);
