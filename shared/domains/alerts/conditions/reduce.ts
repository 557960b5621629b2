import { sumOfDecimals } from '../../../platform/text/sum-of-decimals.ts';

export const REDUCERS = ['last', 'first', 'min', 'max', 'sum', 'avg', 'median', 'count', 'any_row'] as const;
export type Reducer = (typeof REDUCERS)[number];

/** A value, several of which any may fire, or the reason why there is none. */
export type Reading =
  | { kind: 'value'; value: number }
  | { kind: 'rows'; values: number[] }
  | { kind: 'none'; reason: NoValueReason };

export const NO_VALUE_REASONS = ['NO_ROWS', 'NO_VALUE', 'NO_BASE', 'TOO_FEW_POINTS', 'NO_TARGET'] as const;
export type NoValueReason = (typeof NO_VALUE_REASONS)[number];

/**
 * One value of the column's values in the order of the rows. Nulls count as rows and are otherwise left out, as SQL
 * does. No rows are a count of 0, and no value for all others.
 */
export function reduceValues(values: readonly (number | null)[], reduce: Reducer): Reading {
  if (reduce === 'count') return { kind: 'value', value: values.length };
  if (values.length === 0) return { kind: 'none', reason: 'NO_ROWS' };
  const known = values.filter((value) => value !== null);
  if (reduce === 'last' || reduce === 'first') {
    const value = values.at(reduce === 'last' ? -1 : 0)!;
    return value === null ? { kind: 'none', reason: 'NO_VALUE' } : { kind: 'value', value };
  }
  if (known.length === 0) return { kind: 'none', reason: 'NO_VALUE' };
  if (reduce === 'any_row') return { kind: 'rows', values: known };
  const value = COMBINED[reduce](known);
  return Number.isFinite(value) ? { kind: 'value', value } : { kind: 'none', reason: 'NO_VALUE' };
}

/** Digits of a double that calculations do not spoil. */
const EXACT_DIGITS = 15;

const COMBINED: Readonly<Record<'min' | 'max' | 'sum' | 'avg' | 'median', (values: readonly number[]) => number>> = {
  min: (values) => values.reduce((least, value) => Math.min(least, value)),
  max: (values) => values.reduce((most, value) => Math.max(most, value)),
  sum: sumOfDecimals,
  avg: (values) => Number((sumOfDecimals(values) / values.length).toPrecision(EXACT_DIGITS)),
  median: (values) => {
    const sorted = [...values].sort((a, b) => a - b);
    const middle = sorted.length >> 1;
    return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
  },
};

/** A cell of an answer as a number: large and exact ones come as text. */
export function numberOf(cell: unknown): number | null {
  if (typeof cell === 'number') return Number.isFinite(cell) ? cell : null;
  if (typeof cell !== 'string' || cell.trim() === '') return null;
  const value = Number(cell);
  return Number.isFinite(value) ? value : null;
}
