import type { Static } from 'typebox';
import type { MeasureFormat } from '../models/index.ts';
import type { Amount } from './amounts.ts';

type Format = Static<typeof MeasureFormat> | null;

/** An amount as people read it, without losing digits of exact decimals. Percentages are ratios: 0.12 is 12 %. */
export function formatAmount(amount: Amount, format: Format): string {
  if (amount === null) return '–';
  const decimals = format?.decimals;
  const digits =
    decimals === undefined
      ? { maximumFractionDigits: 2 }
      : { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
  const notation = format?.abbreviate ? ({ notation: 'compact' } as const) : {};
  const shown = new Intl.NumberFormat('en', { ...styleOf(format), ...digits, ...notation });
  return shown.format(amount as Intl.StringNumericLiteral);
}

function styleOf(format: Format): Intl.NumberFormatOptions {
  if (format?.kind === 'percent') return { style: 'percent' };
  if (format?.kind === 'currency' && format.currency !== undefined) {
    return { style: 'currency', currency: format.currency, minimumFractionDigits: 0 };
  }
  return {};
}
