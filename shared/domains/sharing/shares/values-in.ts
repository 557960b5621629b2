import type { ChartRows } from '../../boards/charts/index.ts';

/** By default. */
export const MAX_VALUES = 1000;

/** The values that a column has in the rows of a card, in order and without nulls. */
export function valuesIn(rows: ChartRows, column: number, limit = MAX_VALUES): ChartRows {
  const { columns, rowsJson, truncated } = rows;
  const all = (JSON.parse(rowsJson) as unknown[][]).flatMap((row) => row[column] ?? []);
  const values = [...new Set(all)].sort(isNumeric(columns[column]!.type) ? byNumber : byText);
  const shown = values.slice(0, limit);
  return {
    ...rows,
    columns: [{ ...columns[column]!, name: 'value' }],
    rowsJson: JSON.stringify(shown.map((value) => [value])),
    rowCount: shown.length,
    truncated: truncated || shown.length < values.length,
  };
}

const isNumeric = (type: string): boolean => /^(integer|decimal|number|double)/.test(type);
const byNumber = (one: unknown, other: unknown): number => Number(one) - Number(other);
const byText = (one: unknown, other: unknown): number => (String(one) < String(other) ? -1 : 1);
