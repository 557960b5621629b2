import { defaultLocale } from 'vega-format';
import { type ChartColumn, kindOf, numberValue, timeValue } from './chart-columns.ts';
import { periodLabel } from './period-label.ts';

/** Vega's own, so that numbers look the same in charts and in tables. */
const locale = defaultLocale();

const MINUS = /\u2212/g;

/** A value as text: numbers with separators of thousands, dates by their period. Empty for null. */
export function shownValue(column: ChartColumn, value: unknown, format?: string): string {
  if (value === null || value === undefined) return '';
  switch (kindOf(column)) {
    case 'number': {
      const number = numberValue(value);
      if (number === null) return String(value);
      if (format) return locale.format(format)(number);
      return column.type === 'integer' && typeof value === 'string'
        ? grouped(value)
        : locale.format(',~r')(round(number));
    }
    case 'time': {
      const ms = timeValue(value);
      if (ms === null) return String(value);
      return format ? locale.utcFormat(format)(ms) : periodLabel(column, ms);
    }
    default:
      return typeof value === 'string' ? value : JSON.stringify(value);
  }
}

/** Three digits of a large number, such as `1.2M`, or of one with decimals; smaller integers are written out. */
export function shortNumber(value: number): string {
  if (Math.abs(value) >= 10_000) return locale.format('.3~s')(value).replace('G', 'B');
  return locale.format(Number.isInteger(round(value)) || Math.abs(value) >= 1000 ? ',.0f' : '.3~r')(value);
}

/** A change with its sign, such as `+4.2%`. */
export const signedPercent = (share: number): string => locale.format('+.1%')(share).replace(MINUS, '−');

const round = (value: number): number => Number(value.toPrecision(12));

/** Digits beyond what a number can hold stay as they are. */
const grouped = (digits: string): string => digits.replace(/\B(?=(\d{3})+(?!\d))/g, ',');
