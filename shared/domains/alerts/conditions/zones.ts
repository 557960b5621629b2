import { differenceOfDecimals } from '../../../platform/text/sum-of-decimals.ts';
import type { Zone } from './state-machine.ts';

/** Compares a value with a threshold. */
export const VALUE_OPERATORS = ['gt', 'gte', 'lt', 'lte', 'eq', 'ne', 'between', 'outside'] as const;
export type ValueOperator = (typeof VALUE_OPERATORS)[number];

/** Compares a value with an earlier one. */
export const CHANGE_OPERATORS = ['increases_by', 'decreases_by', 'changes_by'] as const;
export type ChangeOperator = (typeof CHANGE_OPERATORS)[number];

export const OPERATORS = [...VALUE_OPERATORS, ...CHANGE_OPERATORS, 'unusual', 'is_behind_target'] as const;
export type Operator = (typeof OPERATORS)[number];

export type Threshold = number | readonly [number, number];

/** A condition on a number. */
export interface Test {
  operator: ValueOperator;
  threshold: Threshold;
}

/** Operators are strict as they are named: a value at the threshold is not `gt`. */
export function meets(value: number, { operator, threshold }: Test): boolean {
  const [low, high] = typeof threshold === 'number' ? [threshold, threshold] : threshold;
  switch (operator) {
    case 'gt':
      return value > low;
    case 'gte':
      return value >= low;
    case 'lt':
      return value < low;
    case 'lte':
      return value <= low;
    case 'eq':
      return value === low;
    case 'ne':
      return value !== low;
    case 'between':
      return value >= low && value <= high;
    default:
      return value < low || value > high;
  }
}

/** Without a condition to recover, every value that is no breach is clear. */
export function zoneOfValue(value: number, test: Test, recover: Test | null): Zone {
  if (meets(value, test)) return 'breach';
  return recover === null || meets(value, recover) ? 'clear' : 'band';
}

/** Digits of a double that calculations do not spoil. */
const EXACT_DIGITS = 15;

export type ChangeUnit = 'absolute' | 'percent';

/**
 * The change from an earlier value; undefined where there is none: without an earlier value, and as a percentage of
 * zero, which is no number.
 */
export function changeFrom(base: number | null, value: number, unit: ChangeUnit): number | undefined {
  if (base === null || !Number.isFinite(base)) return undefined;
  // As the numbers are written: 10.7 is exactly 7 % more than 10, and floats would make it less.
  const difference = differenceOfDecimals(value, base);
  if (unit === 'absolute') return difference;
  if (base === 0) return undefined;
  const change = Number(((100 * difference) / Math.abs(base)).toPrecision(EXACT_DIGITS));
  return Number.isFinite(change) ? change : undefined;
}

/** The size of a change in the direction of the operator, to be compared with the threshold. */
export const changeSize = (change: number, operator: ChangeOperator): number =>
  operator === 'increases_by' ? change : operator === 'decreases_by' ? -change : Math.abs(change);
