import { expressionFunction } from 'vega';
import { MINUS } from '../../platform/text/number-text.ts';
import { compactNumber, type DeclaredFormat, formattedNumber, tickNumber } from '../value-formats/declared-format.ts';

const NAME = 'shownNumber';
const LONG = 1e15;

// Vega knows the functions of its expressions by their names, for all charts.
expressionFunction(NAME, (value: unknown, format: unknown) => {
  if (typeof value !== 'number') return '';
  const { declared, isCompact, digits } = JSON.parse(decodeURIComponent(String(format))) as Labels;
  // The ends of long scales are round, and their zeros would leave no room for the chart.
  const isLong = declared === null && Math.abs(value) >= LONG;
  return isLong
    ? Number(value.toPrecision(12)).toExponential().replaceAll('-', MINUS)
    : digits === undefined
      ? tickNumber(value, declared, { isCompact })
      : isCompact
        ? compactNumber(Number(value.toPrecision(digits)), declared)
        : formattedNumber(Number(value.toPrecision(12)), declared);
});

interface Labels {
  declared: DeclaredFormat | null;
  isCompact: boolean;
  /** How many significant digits compact numbers have at most. */
  digits?: number | undefined;
}

/**
 * The labels of an axis or a legend of numbers, as the numbers themselves are shown; compact ones without the zeros of
 * thousands and millions. The format is encoded, so that it is no expression.
 */
export const numberLabels = (
  format: DeclaredFormat | null | undefined,
  { isCompact = false, digits }: Partial<Pick<Labels, 'isCompact' | 'digits'>> = {},
): Record<string, unknown> => ({
  formatType: NAME,
  format: encodeURIComponent(
    JSON.stringify({ declared: format ?? null, isCompact, digits } satisfies Labels),
  ).replaceAll("'", '%27'),
});
