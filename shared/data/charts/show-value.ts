import { numberText } from '../../platform/text/number-text.ts';
import { d3Number, d3Time } from '../value-formats/d3-format.ts';
import { datePattern, dateText } from '../value-formats/date-pattern.ts';
import { formattedNumber } from '../value-formats/declared-format.ts';
import { type ChartColumn, kindOf, numberValue, timeValue } from './chart-columns.ts';
import { periodLabel } from './period-label.ts';

/**
 * A value as text, wherever it is shown. The format that the chart gives it (one of d3) comes first, then the one that
 * its measure or field declares. Without any, numbers have separators of thousands and dates the name of their period.
 * Empty for null.
 */
export function showValue(column: ChartColumn, value: unknown, format: string | undefined = column.showAs): string {
  if (value === null || value === undefined) return '';
  switch (kindOf(column)) {
    case 'number': {
      const number = exactNumber(column, value);
      if (number === null) return String(value);
      return (format && d3Number(format, number)) || formattedNumber(number, column.format);
    }
    case 'time': {
      const ms = timeValue(value);
      if (ms === null) return String(value);
      return (format && d3Time(format, ms)) || declaredTime(column, ms) || periodLabel(column, ms);
    }
    default:
      return typeof value === 'string' ? value : JSON.stringify(value);
  }
}

/** A value that names things rather than measures them: numbers, such as years and codes, have no separators. */
export function nameText(column: ChartColumn, value: unknown, format: string | undefined = column.showAs): string {
  const number = kindOf(column) === 'number' ? exactNumber(column, value) : null;
  if (number === null || format || column.format) return showValue(column, value, format);
  return numberText(number, { isGrouped: false });
}

/** The beginning and the end of a range of numbers, such as `10 – 20`. */
export function rangeText(column: ChartColumn, value: unknown, format?: string): string {
  const start = numberValue(value);
  if (start === null || column.binWidth === undefined) return showValue(column, value, format);
  return `${showValue(column, value, format)} – ${showValue(column, start + column.binWidth, format)}`;
}

/** Texts are exact, except for the many digits of inexact types. Null for what is no finite number. */
function exactNumber({ type }: ChartColumn, value: unknown): number | string | null {
  const number = numberValue(value);
  if (number === null || typeof value === 'number') return number;
  const isInexact = /^(number|double|float)/.test(type) && !Number.isInteger(number);
  return isInexact ? number : String(value);
}

function declaredTime({ format }: ChartColumn, ms: number): string | undefined {
  const pattern = typeof format === 'string' ? format : format?.pattern;
  if (!pattern) return undefined;
  const tokens = pattern.includes('%') ? undefined : datePattern(pattern);
  return tokens ? dateText(tokens, ms) : d3Time(pattern, ms);
}

/** A change with its sign, such as `+4.2%`. Decimals of large ones say nothing, and no small one is called 0. */
export function signedPercent(share: number): string {
  const size = Math.abs(share);
  if (size > 0 && size < 0.0005) return '<0.1%';
  return d3Number(size < 10 ? '+.1%' : '+,.0%', share) ?? '';
}
