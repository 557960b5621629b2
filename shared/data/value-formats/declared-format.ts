import { decimalOf, shifted, trimmed } from '../../platform/text/decimal.ts';
import { numberText } from '../../platform/text/number-text.ts';
import { currencySymbol } from './currency.ts';
import { d3Number } from './d3-format.ts';
import { abbreviated, type MeasureFormat, measureNumber, usualDecimals } from './measure-format.ts';
import { numberPattern, patternText } from './number-pattern.ts';

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
const TICK_DIGITS = 12;

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

/**
 * A tick of an axis. It is never rounded to the decimals of its format: with none, 0.5 would be another 1. Ticks with
 * noise behind their twelfth digit are those of a calculation.
 */
export function tickNumber(
  tick: number,
  format: DeclaredFormat | null | undefined,
  { isCompact }: { isCompact: boolean },
): string {
  const value = Number(tick.toPrecision(TICK_DIGITS));
  const measure = format ? measureFormat(format) : undefined;
  const decimal = decimalOf(value);
  if (!measure || !decimal) return isCompact ? compactNumber(value, format) : formattedNumber(value, format);
  const pattern = measure.pattern === undefined ? undefined : numberPattern(measure.pattern);
  const isPercent = pattern ? pattern.isPercent : measure.kind === 'percent';
  const { scale } = trimmed(isPercent ? shifted(decimal, 2) : decimal);
  if ((isCompact || measure.abbreviate) && !isPercent && Math.abs(value) >= 1000) return compactNumber(value, format);
  if (pattern) return patternText(decimal, { ...pattern, maxDecimals: Math.max(pattern.maxDecimals, scale) });
  const decimals = measure.decimals ?? usualDecimals(measure);
  return measureNumber(value, decimals !== undefined && scale > decimals ? { ...measure, decimals: scale } : measure);
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
