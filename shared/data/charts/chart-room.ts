import { type ChartData, numberValue, typeOf } from './chart-columns.ts';
import type { ChannelName, ChartLook, Encoding, MarkType } from './chart-look.ts';
import type { Drawn } from './drawn-column.ts';
import { type LegendRoom, legendRoom, type Orient, rampRoom } from './legend-room.ts';
import { LABEL_SIZE } from './name-axis.ts';
import { type SharedColors, sharedColors } from './series-colors.ts';
import type { ShownTexts } from './shown-texts.ts';
import { textWidth } from './text-width.ts';

interface Size {
  width: number;
  height: number;
}

/** How the picture is divided between the plot, its axes and its legends. */
export interface ChartRoom {
  /** What the marks have, about. */
  plot: Size;
  legends: Partial<Record<ChannelName, LegendRoom>>;
  shared: SharedColors | undefined;
  /** Axes of smaller pictures have no titles of their own. */
  hasTitles: { x: boolean; y: boolean };
}

interface Layered {
  mark: { type: MarkType };
  encoding: Encoding;
}

const MIN_TITLED = { x: 170, y: 260 };
const AXIS = { x: 22, y: 46, title: 20 };
const LEGENDS = ['color', 'size', 'shape'] as const;

export function chartRoom(
  layers: readonly Layered[],
  { columns, texts, data, config, size }: { columns: readonly Drawn[]; texts: ShownTexts; data: ChartData; config: ChartLook['config']; size: Size },
): ChartRoom {
  const drawnOf = (field: string | undefined) => columns.find(({ column }) => column.name === field);
  const shared = colorsOf(layers, { columns, texts, data });
  const legends: ChartRoom['legends'] = {};
  const fields = new Set<string>();
  for (const { encoding } of layers)
    for (const channel of LEGENDS) {
      const definition = encoding[channel];
      const drawn = drawnOf(definition?.field);
      const orient = definition?.legend?.orient ?? config?.legend;
      if (!definition || !drawn || definition.legend === null || orient === 'none' || legends[channel]) continue;
      const isShared = fields.has(definition.field);
      fields.add(definition.field);
      const type = definition.type ?? typeOf(drawn.column);
      const title = definition.legend?.title ?? definition.title ?? null;
      const room =
        type === 'quantitative' || (type === 'temporal' && !drawn.column.grain)
          ? rampRoom(size, orient as Orient | undefined)
          : legendRoom(
              channel === 'color' && shared ? [...shared.shown, shared.name] : texts.names(drawn, definition.format),
              size,
              { orient: orient as Orient | undefined, title },
            );
      // The symbols of two channels for one column are in one legend.
      legends[channel] = isShared ? { ...room, taken: { width: 0, height: 0 } } : room;
    }
  const taken = Object.values(legends).map((room) => room.taken);
  const hasTitles = { x: size.height >= MIN_TITLED.x, y: size.width >= MIN_TITLED.y };
  const y = layers.find(({ encoding }) => encoding.y)?.encoding.y;
  const besides = drawnOf(y?.field);
  const isNamed = besides && (y?.type ?? typeOf(besides.column)) !== 'quantitative';
  const names = isNamed ? texts.names(besides, y?.format) : [];
  const widest = names.reduce((width, name) => Math.max(width, textWidth(name, LABEL_SIZE)), 0);
  const left = (isNamed ? Math.min(widest, Math.max(36, size.width * 0.35)) + 8 : y ? AXIS.y : 0) + (hasTitles.y ? AXIS.title : 0);
  return {
    plot: {
      width: Math.max(40, size.width - left - Math.max(0, ...taken.map(({ width }) => width))),
      height: Math.max(30, size.height - AXIS.x - (hasTitles.x ? AXIS.title : 0) - taken.reduce((sum, { height }) => sum + height, 0)),
    },
    legends,
    shared,
    hasTitles,
  };
}

/** The colors of many names, unless the chart chooses them. */
function colorsOf(
  layers: readonly Layered[],
  { columns, texts, data }: { columns: readonly Drawn[]; texts: ShownTexts; data: ChartData },
): SharedColors | undefined {
  const colors = layers.flatMap(({ encoding: { color } }) => color ?? []);
  const [color] = colors;
  const drawn = columns.find(({ column }) => column.name === color?.field);
  if (!color || !drawn || colors.some(({ field }) => field !== color.field)) return undefined;
  if ((color.type ?? typeOf(drawn.column)) !== 'nominal' || color.scale?.domain || color.scale?.range) return undefined;
  const { encoding } = layers.find((each) => each.encoding.color)!;
  const values = [encoding.theta, encoding.y, encoding.x].map((channel) =>
    data.columns.findIndex((column) => column.name === channel?.field && column.role === 'measure'),
  );
  const at = values.find((index) => index >= 0);
  const nameOf = texts.nameOf(drawn, color.format);
  const sums = new Map<string, number>();
  for (const row of data.rows) {
    const name = nameOf(row);
    sums.set(name, (sums.get(name) ?? 0) + (at === undefined ? 1 : Math.abs(numberValue(row[at]) ?? 0)));
  }
  return sharedColors(sums);
}
