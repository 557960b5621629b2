import { type ChartColumn, type ChartData, EMPTY, kindOf, timeValue } from './chart-columns.ts';
import type { Encoding } from './chart-look.ts';
import { periodLabel } from './period-label.ts';

/** More columns cannot be read. The table counts those that are left out. */
const MAX_COLUMNS = 100;

/**
 * Rows with the values of the column facet beside each other: one row for each value of the row facet, one column for each of
 * the column facet. Groups come in the order in which the query returned them.
 */
export function pivoted({ row, column, text }: Encoding, data: ChartData): ChartData & { columnsLeftOut: number } {
  const at = (field: string | undefined) => data.columns.findIndex(({ name }) => name === field);
  const [rowAt, columnAt] = [at(row?.field), at(column?.field)];
  const valueAt = text ? at(text.field) : data.columns.findIndex(({ role }) => role === 'measure');
  const value = data.columns[valueAt];
  if (rowAt < 0 || columnAt < 0 || !value) return { ...data, columnsLeftOut: 0 };
  const groups = new Map<unknown, Map<unknown, unknown>>();
  const heads = new Set<unknown>();
  for (const each of data.rows) {
    heads.add(each[columnAt]);
    const cells = groups.get(each[rowAt]) ?? new Map<unknown, unknown>();
    groups.set(each[rowAt], cells.set(each[columnAt], each[valueAt]));
  }
  const shown = [...heads].slice(0, MAX_COLUMNS);
  const columns = shown.map((head): ChartColumn => ({ ...value, name: headOf(data.columns[columnAt]!, head) }));
  return {
    columns: [data.columns[rowAt]!, ...columns],
    rows: [...groups].map(([key, cells]) => [key, ...shown.map((head) => cells.get(head) ?? null)]),
    columnsLeftOut: heads.size - shown.length,
  };
}

function headOf(column: ChartColumn, value: unknown): string {
  const ms = kindOf(column) === 'time' ? timeValue(value) : null;
  if (ms !== null) return periodLabel(column, ms);
  return value === null ? EMPTY : String(value);
}
