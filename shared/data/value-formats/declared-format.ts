import { decimalOf } from '../../platform/text/decimal.ts';
import { numberText } from '../../platform/text/number-text.ts';
import { currencySymbol } from './currency.ts';
import { d3Number } from './d3-format.ts';
import { abbreviated, type MeasureFormat, measureNumber } from './measure-format.ts';
import { numberPattern } from './number-pattern.ts';

export type { MeasureFormat } from './measure-format.ts';

/** How values are shown: as a measure declares it, or the text of a field, such as `0.00`, `EUR` or `percent`. */
export type DeclaredFormat = MeasureFormat | string;

/** A number in its format; in none if the format does not fit numbers. */
export function formattedNumber(value: number | string, format: DeclaredFormat | null | undefined): string {
  const measure = format ? measureFormat(format) : null;
  if (measure !== undefined) return measureNumber(value, measure);
  return (decimalOf(value) && d3Number(format as string, value)) ?? numberText(value);
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

/** The format as that of a measure; undefined for a text that is none. */
export function measureFormat(format: DeclaredFormat): MeasureFormat | undefined {
  if (typeof format !== 'string') return format;
  const text = format.trim();
  if (/^[A-Z]{3}$/.test(text)) return { kind: 'currency', currency: text };
  if (/^percent(age)?$/i.test(text)) return { kind: 'percent' };
  if (/^number$/i.test(text)) return { kind: 'number' };
  return numberPattern(text) ? { kind: 'number', pattern: text } : undefined;
}
