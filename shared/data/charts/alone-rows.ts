import { type ChartData, numberValue } from './chart-columns.ts';
import type { ChannelName, Encoding, Mark } from './chart-look.ts';

/** The field of rows without neighbors. */
export const ALONE = 'alone';

/** The rows with a value whose neighbors in their series have none. */
export function aloneRows(
  layers: readonly { mark: Mark; encoding: Encoding }[],
  { columns, rows }: ChartData,
): Set<number> {
  const found = new Set<number>();
  for (const { mark, encoding } of layers.filter((layer) => isPath(layer.mark))) {
    const at = (channel: ChannelName) => columns.findIndex(({ name }) => name === encoding[channel]?.field);
    const [x, y] = [at('x'), at('y')];
    if (x < 0 || y < 0) continue;
    const keys = (['color', 'row', 'column'] as const).map(at).filter((each) => each >= 0 && each !== x && each !== y);
    const series = Map.groupBy([...rows.keys()], (index) => JSON.stringify(keys.map((key) => rows[index]![key])));
    for (const members of series.values()) {
      const sorted = members.toSorted((one, other) => compareValues(rows[one]![x], rows[other]![x]));
      const hasValue = (index: number | undefined) => index !== undefined && numberValue(rows[index]![y]) !== null;
      for (const [place, index] of sorted.entries())
        if (hasValue(index) && !hasValue(sorted[place - 1]) && !hasValue(sorted[place + 1])) found.add(index);
    }
    if (mark.type === 'area' && encoding.color) found.clear();
  }
  return found;
}

function compareValues(one: unknown, other: unknown): number {
  const [first, second] = [numberValue(one), numberValue(other)];
  if (first !== null && second !== null) return first - second;
  return String(one) < String(other) ? -1 : 1;
}

export const isPath = ({ type }: Mark): boolean => type === 'line' || type === 'area';
