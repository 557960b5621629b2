import type { ChartRows } from '../../boards/charts/index.ts';

/** By default. */
export const MAX_VALUES = 1000;

interface ValuesPage {
  search: string | undefined;
  offset: number;
  limit: number;
}

/** The values that a column has in the rows of a card, in order and without nulls. */
export function valuesIn(rows: ChartRows, column: number, { search, offset, limit }: ValuesPage): ChartRows {
  const { columns, rowsJson, truncated } = rows;
  const all = (JSON.parse(rowsJson) as unknown[][]).flatMap((row) => row[column] ?? []);
  const part = search?.toLowerCase();
  const found = part === undefined ? all : all.filter((value) => String(value).toLowerCase().includes(part));
  const values = [...new Set(found)].sort(isNumeric(columns[column]!.type) ? byNumber : byText);
  const shown = values.slice(offset, offset + limit);
  return {
    ...rows,
    columns: [{ ...columns[column]!, name: 'value' }],
    rowsJson: JSON.stringify(shown.map((value) => [value])),
    rowCount: shown.length,
    truncated: truncated || offset + shown.length < values.length,
  };
}

const isNumeric = (type: string): boolean => /^(integer|decimal|number|double)/.test(type);
const byNumber = (one: unknown, other: unknown): number => Number(one) - Number(other);
const byText = (one: unknown, other: unknown): number => (String(one) < String(other) ? -1 : 1);
