import { expressionFunction } from 'vega';
import { MINUS } from '../../platform/text/number-text.ts';
import { type DeclaredFormat, formattedNumber } from '../value-formats/declared-format.ts';

const NAME = 'shownNumber';
const LONG = 1e15;

// Vega knows the functions of its expressions by their names, for all charts.
expressionFunction(NAME, (value: unknown, format: unknown) => {
  if (typeof value !== 'number') return '';
  const declared = JSON.parse(decodeURIComponent(String(format))) as DeclaredFormat | null;
  // The ends of long scales are round, and their zeros would leave no room for the chart.
  const isLong = declared === null && Math.abs(value) >= LONG;
  return isLong
    ? Number(value.toPrecision(12)).toExponential().replaceAll('-', MINUS)
    : formattedNumber(value, declared);
});

/**
 * The labels of an axis or a legend of numbers, as the numbers themselves are shown. The format is encoded, so that it
 * is no expression.
 */
export const numberLabels = (format: DeclaredFormat | null | undefined): Record<string, unknown> => ({
  formatType: NAME,
  format: encodeURIComponent(JSON.stringify(format ?? null)).replaceAll("'", '%27'),
});
