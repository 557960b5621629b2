import { type ChartColumn, type ChartData, kindOf, numberValue } from './chart-columns.ts';
import type { ChartLook, Encoding } from './chart-look.ts';

type Row = readonly unknown[];

/** The column that says how many rows have a value: a box plot is of rows, and a query returns each value once. */
export const countOfName = (name: string): string => `Count of ${name}`;

/** Rows to draw in place of others. */
export interface DrawnRows extends ChartData {
  /** The row of the data that each of them shows; null for none. */
  places?: readonly (number | null)[];
}

/**
 * The rows of a box plot whose values are counted. Quartiles, whiskers and outliers are those of all counted rows; the
 * drawn rows are the few that have the same ones. Other charts keep their rows.
 */
export function boxRows(look: ChartLook, data: ChartData): DrawnRows {
  if (look.layer || look.mark.type !== 'boxplot') return data;
  const encoding = look.encoding ?? {};
  const value = valueColumn(encoding, data.columns);
  const counts = value && data.columns.findIndex(({ name }) => name === countOfName(value.name));
  if (!value || counts === undefined || counts < 0) return data;
  const at = data.columns.indexOf(value);
  const keys = groupingColumns(encoding, data.columns, value);
  const groups = Map.groupBy(
    data.rows.map((row, place) => ({
      row,
      place,
      value: numberValue(row[at]),
      count: numberValue(row[counts]) ?? 0,
    })),
    ({ row }) => JSON.stringify(keys.map((key) => row[key])),
  );
  const drawn = [...groups.values()].flatMap((group) => {
    const counted = group.filter((each): each is Counted => each.value !== null && each.count > 0);
    return counted.length === 0 ? [] : drawnGroup(counted, at, look.mark.extent ?? 'tukey');
  });
  return { columns: data.columns, rows: drawn.map(({ row }) => row), places: drawn.map(({ place }) => place) };
}

interface Counted {
  row: Row;
  place: number;
  value: number;
  count: number;
}

/** The number on an axis that the rows are grouped by, across the other axis. */
function valueColumn({ x, y }: Encoding, columns: readonly ChartColumn[]): ChartColumn | undefined {
  const numbers = [y, x].flatMap((channel) => {
    const column = columns.find(({ name }) => name === channel?.field);
    const isNumber = column && kindOf(column) === 'number' && (channel?.type ?? 'quantitative') === 'quantitative';
    return isNumber && column.binWidth === undefined ? [column] : [];
  });
  return numbers.find(({ role }) => role === 'dimension');
}

function groupingColumns(encoding: Encoding, columns: readonly ChartColumn[], value: ChartColumn): number[] {
  const { tooltip: _tooltip, ...channels } = encoding;
  const fields = new Set(Object.values(channels).map(({ field }) => field));
  return columns.flatMap((column, at) => (column !== value && fields.has(column.name) ? [at] : []));
}

/** How far whiskers of Tukey reach, in lengths of the box. */
const REACH = 1.5;

function drawnGroup(
  counted: readonly Counted[],
  at: number,
  extent: 'tukey' | 'min-max',
): { row: Row; place: number | null }[] {
  const sorted = counted.toSorted((one, other) => one.value - other.value);
  const [low, median, high] = [0.25, 0.5, 0.75].map((part) => quantile(sorted, part)) as [number, number, number];
  const reach = extent === 'min-max' ? Number.POSITIVE_INFINITY : REACH * (high - low);
  const isInside = ({ value }: Counted) => value >= low - reach && value <= high + reach;
  const inside = sorted.filter(isInside);
  const ends = [inside[0], inside.at(-1)].flatMap((each) => each ?? []);
  const single = [...ends, ...sorted.filter((each) => !isInside(each))];
  // With so many of each quartile, the others do not move them.
  const times = single.length + 2;
  const { row } = sorted[0]!;
  const quartiles = [low, median, high].flatMap((value) =>
    Array.from({ length: times }, () => ({ row: row.with(at, value), place: null })),
  );
  return [...quartiles, ...single];
}

/** Between the two nearest of all counted rows, as for rows that are not counted. */
function quantile(sorted: readonly Counted[], part: number): number {
  const total = sorted.reduce((sum, { count }) => sum + count, 0);
  const position = (total - 1) * part;
  const [before, after] = [Math.floor(position), Math.ceil(position)].map((index) => valueAt(sorted, index)) as [
    number,
    number,
  ];
  return before + (after - before) * (position - Math.floor(position));
}

function valueAt(sorted: readonly Counted[], index: number): number {
  let passed = 0;
  for (const { value, count } of sorted) {
    passed += count;
    if (index < passed) return value;
  }
  return sorted.at(-1)!.value;
}
