import { type ChartColumn, kindOf, numberValue, timeValue } from '../../../shared/data/charts/chart-columns.ts';

export interface Sorting {
  /** The column among those of the rows. */
  at: number;
  isDown: boolean;
}

const TEXTS = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });

/** The places of the rows in the order of a column. Missing values come last, and equal ones keep their order. */
export function sortRows(
  rows: readonly unknown[][],
  columns: readonly ChartColumn[],
  sorting: Sorting | undefined,
): number[] {
  const places = [...rows.keys()];
  const column = sorting && columns[sorting.at];
  if (!sorting || !column) return places;
  const kind = kindOf(column);
  const keys = rows.map((row) => {
    const value = row[sorting.at];
    if (value === null || value === undefined) return null;
    return kind === 'number' ? numberValue(value) : kind === 'time' ? timeValue(value) : String(value);
  });
  const direction = sorting.isDown ? -1 : 1;
  return places.sort((one, other) => {
    const [first, second] = [keys[one]!, keys[other]!];
    if (first === null || second === null) return first === second ? one - other : first === null ? 1 : -1;
    const order = typeof first === 'number' ? first - (second as number) : TEXTS.compare(String(first), String(second));
    return direction * order || one - other;
  });
}
