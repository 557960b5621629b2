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

/** The color of a share of a scale from one color to another, perhaps by a third. */
export function scaleColor([first, ...others]: readonly string[], share: number): string {
  const second = others[0] ?? first!;
  const third = others[1];
  if (third === undefined) return mixed(first!, second, share);
  return share < 0.5 ? mixed(first!, second, share * 2) : mixed(second, third, share * 2 - 1);
}
