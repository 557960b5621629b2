import { type ChartData, numberValue } from './chart-columns.ts';
import type { Encoding } from './chart-look.ts';
import type { Drawn } from './drawn-column.ts';

interface Sorted {
  sort?: NonNullable<Encoding['x']>['sort'];
}

/** The names of an axis in the order in which they stand there. */
export function showOrder(
  names: readonly string[],
  { sort }: Sorted,
  drawn: Drawn,
  { data, encoding, nameOf }: { data: ChartData; encoding: Encoding; nameOf: (row: readonly unknown[]) => string },
): string[] {
  if (Array.isArray(sort)) {
    const first = sort.map(String).filter((name) => names.includes(name));
    return [...first, ...names.filter((name) => !first.includes(name))];
  }
  const by = sort === 'x' || sort === '-x' ? encoding.x : sort === 'y' || sort === '-y' ? encoding.y : undefined;
  const isDown = sort === 'descending' || sort?.startsWith('-');
  const direction = isDown ? -1 : 1;
  const at = data.columns.findIndex(({ name }) => name === by?.field);
  if (at >= 0) {
    const sums = new Map<string, number>();
    for (const row of data.rows) sums.set(nameOf(row), (sums.get(nameOf(row)) ?? 0) + (numberValue(row[at]) ?? 0));
    return names.toSorted((one, other) => direction * (sums.get(one)! - sums.get(other)!));
  }
  if (drawn.kind !== 'other' || (sort !== 'ascending' && sort !== 'descending'))
    return isDown ? names.toReversed() : [...names];
  return names.toSorted((one, other) => (one < other ? -direction : one > other ? direction : 0));
}
