import type { ChartColumn } from './chart-columns.ts';
import type { Mark } from './chart-look.ts';

type Setting = NonNullable<Mark['columns']>[number];

/** A column of a table, with its place in the rows. */
export type Shown = Omit<Setting, 'field'> & { column: ChartColumn; at: number };

/** The columns that the chart names, or all. */
export function showColumns(given: readonly Setting[] | undefined, columns: readonly ChartColumn[]): Shown[] {
  if (!given) return columns.map((column, at) => ({ column, at }));
  if (columns.some(({ pivot }) => pivot)) return pivotColumns(given, columns);
  return given.flatMap(({ field, ...rest }) => {
    const at = columns.findIndex(({ name }) => name === field);
    return at < 0 ? [] : [{ ...rest, column: columns[at]!, at }];
  });
}

/** Columns of groups stay in their order, with the headings of their groups. */
const pivotColumns = (given: readonly Setting[], columns: readonly ChartColumn[]): Shown[] =>
  columns.flatMap((column, at) => {
    const found = given.find(({ field }) => field === column.name || field === column.pivot?.measure);
    if (!found) return [];
    const { field: _field, title, ...rest } = found;
    return [{ ...rest, ...(column.pivot || title === undefined ? {} : { title }), column, at }];
  });

export const titleOf = ({ title, column }: Shown): string => title ?? column.name;
