import type { Encoding } from './chart-look.ts';
import type { ChartRoom } from './chart-room.ts';
import type { Drawn } from './drawn-column.ts';
import type { ShownTexts } from './shown-texts.ts';
import { SERIES } from './vega-lite-channel.ts';

/** The name whose color the row has, where many share one. */
export function seriesOf(
  layers: readonly { encoding: Encoding }[],
  columns: readonly Drawn[],
  { texts, room: { shared } }: { texts: ShownTexts; room: ChartRoom },
): (row: readonly unknown[]) => Record<string, unknown> {
  const color = layers.find(({ encoding }) => encoding.color)?.encoding.color;
  const drawn = columns.find(({ column }) => column.name === color?.field);
  if (!shared || !drawn) return () => ({});
  const nameOf = texts.nameOf(drawn, color?.format);
  return (row) => {
    const name = nameOf(row);
    const isOther = shared.others.has(name);
    return { [SERIES]: isOther ? shared.name : name, [RANK]: isOther ? 1 : 0, [MEMBER]: name };
  };
}

/** Whether the row is of a series that shares its color, which come last, and the name of the series. */
export const RANK = 'rank';
export const MEMBER = 'member';
