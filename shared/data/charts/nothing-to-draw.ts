import { type ChartData, drawnValue, kindOf, numberValue } from './chart-columns.ts';
import type { ChartLook } from './chart-look.ts';

/** Scales of no values have no ends: Vega would draw axes of nothing. */
export function findNothing(look: ChartLook, { columns, rows }: ChartData): string | undefined {
  if (rows.length === 0) return 'No rows';
  const encodings = look.layer ? look.layer.map(({ encoding }) => encoding) : [look.encoding ?? {}];
  const fields = new Set(encodings.flatMap((encoding) => Object.values(encoding).flat()).map(({ field }) => field));
  const isEmpty = columns.some((column, at) => {
    const kind = kindOf(column);
    return fields.has(column.name) && kind !== 'other' && rows.every((row) => drawnValue(kind, row[at]) === null);
  });
  if (isEmpty) return 'No values';
  const [{ row, column } = {}] = encodings;
  const counts = [row, column].map((facet) => countOf(facet?.field, { columns, rows }));
  return counts[0]! * counts[1]! > MAX_FACETS ? `More than ${MAX_FACETS} charts beside each other` : undefined;
}

/** More could not be read, and would not fit into a reply. */
const MAX_FACETS = 100;

function countOf(field: string | undefined, { columns, rows }: ChartData): number {
  const at = columns.findIndex(({ name }) => name === field);
  return at < 0 ? 1 : new Set(rows.map((row) => row[at])).size;
}

/** Why the numbers of a column are no shares of a whole, if they are none. */
export function findNoShares(field: string | undefined, { columns, rows }: ChartData): string | undefined {
  const at = columns.findIndex(({ name }) => name === field);
  if (at < 0 || kindOf(columns[at]!) !== 'number') return undefined;
  const values = rows.flatMap((each) => numberValue(each[at]) ?? []);
  if (values.some((value) => value < 0)) return 'Negative values are no shares of a whole: use bars';
  return values.every((value) => value === 0) ? 'All values are 0' : undefined;
}
