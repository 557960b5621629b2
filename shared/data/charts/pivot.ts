import { type ChartColumn, type ChartData, EMPTY, kindOf } from './chart-columns.ts';
import type { Encoding } from './chart-look.ts';
import { nameText } from './show-value.ts';

/** More columns cannot be read. The table counts those that are left out. */
const MAX_COLUMNS = 100;

/**
 * Rows with the values of the column facet beside each other: one row for each value of the row facet, one column for
 * each of the column facet. Groups come in the order in which the query returned them. Rows of which several would be
 * one cell, as those of a third dimension, stay as they are: a cell would show one of them.
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
    if (cells.has(each[columnAt])) return { ...data, columnsLeftOut: 0 };
    groups.set(each[rowAt], cells.set(each[columnAt], each[valueAt]));
  }
  const shown = [...heads].slice(0, MAX_COLUMNS);
  const headed = withFormat(data.columns[columnAt]!, column?.format);
  const columns = shown.map(
    (head): ChartColumn => ({
      ...withFormat(value, text?.format),
      name: nameText(headed, head) || EMPTY,
      isNameWhole: kindOf(headed) !== 'other',
    }),
  );
  return {
    columns: [withFormat(data.columns[rowAt]!, row?.format), ...columns],
    rows: [...groups].map(([key, cells]) => [key, ...shown.map((head) => cells.get(head) ?? null)]),
    columnsLeftOut: heads.size - shown.length,
  };
}

const withFormat = (column: ChartColumn, format: string | undefined): ChartColumn =>
  format === undefined ? column : { ...column, showAs: format };
