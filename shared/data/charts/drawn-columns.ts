import { type ChartData, drawnValue, EMPTY, kindOf, numberValue } from './chart-columns.ts';
import type { Drawn } from './drawn-column.ts';
import { showValue } from './show-value.ts';

/** The columns of the rows under the names that they have in the specification of Vega-Lite. */
export function drawnColumns({ columns, rows }: ChartData): Drawn[] {
  return columns.map((column, at): Drawn => {
    const drawn = { column, name: `c${at}`, kind: kindOf(column) };
    if (drawn.kind !== 'number') return drawn;
    const values = rows.map((row) => row[at]).filter((value) => numberValue(value) !== null);
    if (values.length === 0) return drawn;
    const by = (isMore: (a: number, b: number) => boolean) =>
      values.reduce((found, each) => (isMore(numberValue(each)!, numberValue(found)!) ? each : found));
    const [least, most] = [by((a, b) => a < b), by((a, b) => a > b)];
    const size = Math.max(Math.abs(numberValue(least)!), Math.abs(numberValue(most)!));
    return {
      ...drawn,
      size,
      span: [showValue(column, least), showValue(column, most)],
    };
  });
}

/** The value, and the end of a range. */
export function cellsOf({ column, name, kind }: Drawn, value: unknown): Record<string, unknown> {
  const drawn = drawnValue(kind, value);
  const cells: Record<string, unknown> = { [name]: drawn ?? (kind === 'other' ? EMPTY : null) };
  if (column.binWidth !== undefined) cells[`${name}_end`] = typeof drawn === 'number' ? drawn + column.binWidth : null;
  return cells;
}
