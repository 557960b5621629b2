import { type ChartData, kindOf, numberValue, typeOf } from './chart-columns.ts';
import type { ChartLook } from './chart-look.ts';
import type { Drawn } from './drawn-column.ts';
import { LABEL_SIZE } from './name-axis.ts';
import { MAX_SERIES, sharedColors } from './series-colors.ts';
import type { ShownTexts } from './shown-texts.ts';
import { cutText, textWidth } from './text-width.ts';

type Json = Record<string, unknown>;

/** The name of the view in Vega, whose texts are moved apart. */
const ENDS = 'ends';
const GAP = 6;
/** Names take at most this share of the picture, as legends do. */
const SHARE = 0.25;
/** Between the baselines of two names. */
const LINE = LABEL_SIZE + 3;

/** Names at the ends of lines in place of a legend. */
export interface LineEnds {
  /** What they take to the right of the plot, in pixels. */
  right: number;
  /** The names on the axes that the encoding describes, in colors by the place of the series. */
  view(encoding: Json, colorOf: (place: number) => string, hidden: ReadonlySet<string>): Json;
}

/**
 * The names of a chart that wants them at its lines; undefined where they have no room, or there is more to name than
 * lines. The chart then has a legend.
 */
export function lineEnds(
  { mark, encoding = {}, layer, config }: ChartLook,
  data: ChartData,
  { columns, texts, size }: { columns: readonly Drawn[]; texts: ShownTexts; size: { width: number; height: number } },
): LineEnds | undefined {
  const { x, y, color, row, column } = encoding;
  const placeOf = (field: string | undefined) => data.columns.findIndex(({ name }) => name === field);
  const [at, valueAt, seriesAt] = [x, y, color].map((channel) => placeOf(channel?.field)) as [number, number, number];
  const drawn = columns[seriesAt];
  if (config?.legend !== 'direct' || layer || mark.type !== 'line' || row || column || config.lines) return undefined;
  // The names would stand on the forecast.
  if (config.trend?.periods) return undefined;
  if (!drawn || at < 0 || valueAt < 0 || kindOf(data.columns[valueAt]!) !== 'number') return undefined;
  if ((color!.type ?? typeOf(drawn.column)) === 'quantitative') return undefined;
  const nameOf = texts.nameOf(drawn, color!.format);
  const last = new Map<string, readonly unknown[]>();
  for (const each of data.rows) if (numberValue(each[valueAt]) !== null) last.set(nameOf(each), each);
  const names = texts.names(drawn, color!.format);
  const isShared = sharedColors(new Map(names.map((name) => [name, 0]))) !== undefined;
  if (isShared || names.length > MAX_SERIES || names.length * LINE > size.height * 0.8) return undefined;
  const most = size.width * SHARE;
  const shown = new Map(names.map((name) => [name, cutText(name, most, LABEL_SIZE)]));
  if (new Set(shown.values()).size < names.length) return undefined;
  const widest = Math.max(0, ...[...shown.values()].map((text) => textWidth(text, LABEL_SIZE)));
  return {
    right: widest + GAP,
    view: ({ x: horizontal, y: vertical }, colorOf, hidden) => {
      const { sort: _order, ...across } = horizontal as Json;
      const { sort: _sort, stack: _stack, ...up } = vertical as Json;
      const cell = (each: readonly unknown[], place: number) =>
        kindOf(data.columns[place]!) === 'time' ? Date.parse(`${String(each[place]).slice(0, 19)}Z`) : each[place];
      const values = names.flatMap((name, place) => {
        const end = last.get(name);
        return end && !hidden.has(name)
          ? [{ x: cell(end, at), y: numberValue(end[valueAt]), text: shown.get(name), shade: colorOf(place) }]
          : [];
      });
      return {
        name: ENDS,
        data: { values },
        mark: {
          type: 'text',
          align: 'left',
          baseline: 'middle',
          dx: GAP,
          aria: false,
          fill: { expr: 'datum["shade"]' },
        },
        encoding: { x: { ...across, field: 'x' }, y: { ...up, field: 'y' }, text: { field: 'text', type: 'nominal' } },
      };
    },
  };
}

interface Label {
  y?: number;
  bounds?: { translate(x: number, y: number): unknown };
}

interface Scene {
  name?: string;
  marktype?: string;
  height?: number;
  items?: (Scene & Label)[];
}

/** Moves names apart that would cover each other, in their order and as little as it takes. */
export function spreadEnds(scene: object): void {
  visit((scene as { root: Scene }).root, Number.POSITIVE_INFINITY);
}

function visit(node: Scene, height: number): void {
  if (node.name === `${ENDS}_marks`) spread(node.items ?? [], height);
  else for (const item of node.items ?? []) for (const mark of item.items ?? []) visit(mark, item.height ?? height);
}

function spread(labels: readonly Label[], height: number): void {
  const sorted = labels.toSorted((one, other) => (one.y ?? 0) - (other.y ?? 0));
  const places: number[] = [];
  for (const { y = 0 } of sorted) places.push(Math.max(y, (places.at(-1) ?? Number.NEGATIVE_INFINITY) + LINE));
  // From the bottom of the plot up, so that none leaves it.
  let limit = height;
  for (let index = places.length - 1; index >= 0; index -= 1) {
    places[index] = Math.min(places[index]!, limit);
    limit = places[index]! - LINE;
  }
  for (const [index, label] of sorted.entries()) {
    const moved = places[index]! - (label.y ?? 0);
    if (moved === 0) continue;
    label.y = places[index]!;
    label.bounds?.translate(0, moved);
  }
}
