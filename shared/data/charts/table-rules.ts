import { numberValue } from './chart-columns.ts';
import type { Mark } from './chart-look.ts';
import { mixed } from './mixed-colors.ts';

type TableColumn = NonNullable<Mark['columns']>[number];
export type TableRule = NonNullable<TableColumn['rules']>[number];

/** The first rule of the column that the value meets. A missing value meets none. */
export const ruleFor = (rules: TableColumn['rules'], value: unknown): TableRule | undefined =>
  value === null || value === undefined ? undefined : rules?.find((rule) => isMet(rule, value));

function isMet({ op, value }: TableRule, cell: unknown): boolean {
  if (op === 'contains') return String(cell).toLowerCase().includes(String(value).toLowerCase());
  // Dates are texts that stand in their order.
  const [left, right] = typeof value === 'number' ? [numberValue(cell), value] : [String(cell), value];
  if (left === null) return false;
  return COMPARES[op](left, right);
}

const COMPARES: Readonly<
  Record<Exclude<TableRule['op'], 'contains'>, (a: number | string, b: number | string) => boolean>
> = {
  eq: (a, b) => a === b,
  ne: (a, b) => a !== b,
  gt: (a, b) => a > b,
  gte: (a, b) => a >= b,
  lt: (a, b) => a < b,
  lte: (a, b) => a <= b,
};

/** The ends of the values of a column. Bars begin at 0, so that their lengths compare the numbers. */
export function spanOf(numbers: readonly number[], hasBar: boolean): { low: number; high: number } {
  const low = numbers.reduce((least, value) => Math.min(least, value), hasBar ? 0 : Number.POSITIVE_INFINITY);
  return { low, high: numbers.reduce((most, value) => Math.max(most, value), hasBar ? 0 : low) };
}

/** Where the bar of a number begins and how long it is, as shares of its cell: to the left of 0 if it is negative. */
export function barOf(number: number, { low, high }: { low: number; high: number }): { start: number; length: number } {
  const span = high - low;
  if (span === 0) return { start: 0, length: 0 };
  return { start: (Math.min(0, number) - low) / span, length: Math.abs(number) / span };
}

/** The color of a share of a scale from one color to another, perhaps by a third. */
export function scaleColor([first, ...others]: readonly string[], share: number): string {
  const second = others[0] ?? first!;
  const third = others[1];
  if (third === undefined) return mixed(first!, second, share);
  return share < 0.5 ? mixed(first!, second, share * 2) : mixed(second, third, share * 2 - 1);
}
