import type { ChartData, TotalRow } from './chart-columns.ts';

const TOTAL = 'Total';

type Row = readonly unknown[];

export interface PlacedRow {
  row: Row;
  /** Its place among the rows without totals; undefined for a total. */
  at: number | undefined;
}

/**
 * The rows with their totals: each subtotal below the rows that it is for, which stand together in the order of their
 * first row, and the total of all rows last. Subtotals without rows are those of rows that were cut off, so they are
 * left out.
 */
export function placeTotals({ columns, rows, totals = [] }: ChartData): PlacedRow[] {
  const depth = columns.filter(({ role }) => role === 'dimension').length;
  const known = new Map(totals.map((total) => [keyOf(total), total]));
  const deepest = Math.max(-1, ...totals.map(({ level }) => level));
  return withSubtotals(
    rows.map((row, at) => ({ row, at })),
    0,
  );

  /** Rows that agree in so many of the leading dimensions, with their totals. */
  function withSubtotals(these: readonly PlacedRow[], level: number): PlacedRow[] {
    const groups = deepest > level ? Map.groupBy(these, ({ row }) => JSON.stringify(row[level])) : undefined;
    const placed = groups ? [...groups.values()].flatMap((group) => withSubtotals(group, level + 1)) : [...these];
    const total = level < depth ? known.get(keyOf({ level, row: these[0]?.row ?? [] })) : undefined;
    if (total) placed.push({ row: labelled(total), at: undefined });
    return placed;
  }
}

/** The data with its totals among the rows. */
export function withTotals<D extends ChartData>({ totals, ...data }: D): Omit<D, 'totals'> & ChartData {
  if (!totals || totals.length === 0) return data;
  const placed = placeTotals({ ...data, totals });
  const totalsAt = new Set(placed.flatMap(({ at }, place) => (at === undefined ? [place] : [])));
  return { ...data, rows: placed.map(({ row }) => row), totalsAt };
}

/** The total of all rows. */
export const grandTotals = (totals: readonly TotalRow[] = []): PlacedRow[] =>
  totals.flatMap((total) => (total.level === 0 ? [{ row: labelled(total), at: undefined }] : []));

const keyOf = ({ level, row }: TotalRow): string => JSON.stringify([level, row.slice(0, level)]);

/** The first dimension that the total is over says so. */
const labelled = ({ level, row }: TotalRow): Row => row.with(level, TOTAL);
