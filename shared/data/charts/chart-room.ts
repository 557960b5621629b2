import { type ChartData, numberValue, typeOf } from './chart-columns.ts';
import type { ChannelName, ChartLook, Encoding, MarkType } from './chart-look.ts';
import type { Drawn } from './drawn-column.ts';
import { layerNames } from './layer-names.ts';
import { type LegendRoom, legendRoom, rampRoom } from './legend-room.ts';
import { besideLimit, LABEL_SIZE } from './name-axis.ts';
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
  /** The names of layers that have a color each. */
  layers: string[] | undefined;
  /** Axes of smaller pictures have no titles of their own. */
  hasTitles: { x: boolean; y: boolean };
}

interface Layered {
  mark: { type: MarkType };
  encoding: Encoding;
}

const MIN_TITLED = { x: 170, y: 260 };
const AXIS = { x: 22, y: 46, title: 20 };
const LABEL_GAP = 8;
const LEGENDS = ['color', 'size', 'shape'] as const;

interface Shown {
  columns: readonly Drawn[];
  texts: ShownTexts;
  data: ChartData;
}

export function chartRoom(
  layers: readonly Layered[],
  { config, size, ...shown }: Shown & { config: ChartLook['config']; size: Size },
): ChartRoom {
  const shared = colorsOf(layers, shown);
  const hasTitles = { x: size.height >= MIN_TITLED.x, y: size.width >= MIN_TITLED.y };
  const left = besideWidth(layers, shown, size) + (hasTitles.y ? AXIS.title : 0);
  const isOfLines = layers.some(({ mark }) => mark.type === 'line' || mark.type === 'area');
  const names = layerNames(layers, shown.data.columns);
  const legends = legendsOf(layers, { ...shown, config, size, shared, left, isOfLines });
  // A legend that names none of two layers would only take their room.
  const side = sideOf(config);
  if (names && side !== 'none' && hasTitles.y)
    legends.color = legendRoom(names, size, { orient: side, title: null, left, isOfLines });
  const taken = Object.values(legends).map((room) => room.taken);
  const below = AXIS.x + (hasTitles.x ? AXIS.title : 0);
  return {
    plot: {
      width: Math.max(40, size.width - left - Math.max(0, ...taken.map(({ width }) => width))),
      height: Math.max(30, size.height - below - taken.reduce((sum, { height }) => sum + height, 0)),
    },
    legends,
    shared,
    layers: names,
    hasTitles,
  };
}

/** Lines that have no room for their names have a legend. */
const sideOf = (config: ChartLook['config']) => (config?.legend === 'direct' ? undefined : config?.legend);

interface LegendOptions extends Shown {
  config: ChartLook['config'];
  size: Size;
  shared: SharedColors | undefined;
  left: number;
  isOfLines: boolean;
}

function legendsOf(layers: readonly Layered[], given: LegendOptions): ChartRoom['legends'] {
  const legends: ChartRoom['legends'] = {};
  const fields = new Set<string>();
  for (const { encoding } of layers)
    for (const channel of LEGENDS) {
      const room = legends[channel] ? undefined : legendOf(channel, encoding, given);
      if (!room) continue;
      const { field } = encoding[channel]!;
      // The symbols of two channels for one column are in one legend.
      legends[channel] = fields.has(field) ? { ...room, taken: { width: 0, height: 0 } } : room;
      fields.add(field);
    }
  return legends;
}

function legendOf(
  channel: (typeof LEGENDS)[number],
  encoding: Encoding,
  { columns, texts, config, size, shared, left, isOfLines }: LegendOptions,
): LegendRoom | undefined {
  const definition = encoding[channel];
  const drawn = columns.find(({ column }) => column.name === definition?.field);
  const orient = definition?.legend?.orient ?? sideOf(config);
  if (!definition || !drawn || definition.legend === null || orient === 'none') return undefined;
  const type = definition.type ?? typeOf(drawn.column);
  if (type === 'quantitative' || (type === 'temporal' && !drawn.column.grain)) return rampRoom(size, orient);
  const titles = [definition.legend?.title, definition.title, drawn.column.name];
  const title = titles.find((each) => each !== undefined) ?? null;
  const names = channel === 'color' && shared ? [...shared.shown, shared.name] : texts.names(drawn, definition.format);
  return legendRoom(names, size, { orient, title, left: encoding.theta ? 0 : left, isOfLines });
}

/** What the labels of the vertical axis take. */
function besideWidth(layers: readonly Layered[], { columns, texts }: Shown, { width }: Size): number {
  const y = layers.find(({ encoding }) => encoding.y)?.encoding.y;
  const drawn = columns.find(({ column }) => column.name === y?.field);
  if (!y || !drawn) return 0;
  if ((y.type ?? typeOf(drawn.column)) === 'quantitative') return AXIS.y;
  const names = texts.names(drawn, y.format);
  const widest = names.reduce((most, name) => Math.max(most, textWidth(name, LABEL_SIZE)), 0);
  return Math.min(widest, besideLimit(width)) + LABEL_GAP;
}

/** The colors of many names, unless the chart chooses them. */
function colorsOf(layers: readonly Layered[], { columns, texts, data }: Shown): SharedColors | undefined {
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
