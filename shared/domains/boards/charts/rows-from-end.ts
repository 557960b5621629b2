import type { ChartRows } from './chart-reading.ts';
import type { ChartQuery } from './chart-spec.ts';

/** Rows that were read from the end of their order, in that order. Nulls come last in both directions. */
export function inOrder(rows: ChartRows, { sort: [first] = [] }: ChartQuery): ChartRows {
  const at = first ? rows.columns.findIndex(({ name }) => name === first.column) : 0;
  const turned = (JSON.parse(rows.rowsJson) as unknown[][]).reverse();
  const ordered = [...turned.filter((row) => row[at] !== null), ...turned.filter((row) => row[at] === null)];
  return { ...rows, rowsJson: JSON.stringify(ordered) };
}
