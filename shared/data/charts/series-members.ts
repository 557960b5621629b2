import { type ChartData, typeOf } from './chart-columns.ts';
import type { Encoding } from './chart-look.ts';
import type { ChartRoom } from './chart-room.ts';
import type { Drawn } from './drawn-column.ts';
import { showOrder } from './shown-order.ts';
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

/** What the legend of colors names, in its order: series of rows, or layers. Undefined where colors are no names. */
export function legendSeries(
  layers: readonly { encoding: Encoding }[],
  columns: readonly Drawn[],
  { texts, data, room: { shared, layers: named } }: { texts: ShownTexts; data: ChartData; room: ChartRoom },
): { names: readonly string[]; nameOf?: (row: readonly unknown[]) => string } | undefined {
  if (named) return { names: named };
  const colored = layers.find(({ encoding }) => encoding.color);
  const color = colored?.encoding.color;
  const drawn = columns.find(({ column }) => column.name === color?.field);
  if (!color || !drawn) return undefined;
  const type = color.type ?? typeOf(drawn.column);
  if (type === 'quantitative' || (type === 'temporal' && !drawn.column.grain)) return undefined;
  const nameOf = texts.nameOf(drawn, color.format);
  if (shared)
    return {
      names: [...shared.shown, shared.name],
      nameOf: (row) => (shared.others.has(nameOf(row)) ? shared.name : nameOf(row)),
    };
  const { encoding } = colored!;
  const names =
    color.scale?.domain?.map(String) ??
    showOrder(texts.names(drawn, color.format), color, drawn, { data, encoding, nameOf });
  return { names, nameOf };
}

/** Whether the row is of a series that shares its color, which come last, and the name of the series. */
export const RANK = 'rank';
export const MEMBER = 'member';
