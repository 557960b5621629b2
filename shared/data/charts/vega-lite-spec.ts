import type { TopLevelSpec } from 'vega-lite';
import { ALONE, aloneRows, isPath } from './alone-rows.ts';
import type { DrawnRows } from './box-rows.ts';
import type { ChartData } from './chart-columns.ts';
import type { ChannelName, ChartLook, Encoding, Mark } from './chart-look.ts';
import { type ChartRoom, chartRoom } from './chart-room.ts';
import type { Drawn } from './drawn-column.ts';
import { cellsOf, drawnColumns } from './drawn-columns.ts';
import { facetedBy, facetsOf, gridOf } from './facets.ts';
import { lineAxis } from './line-axis.ts';
import { type LineEnds, lineEnds } from './line-ends.ts';
import { isBetterBeside, LABEL_SIZE } from './name-axis.ts';
import { SLICE, type Slice, slicesOf } from './pie-slices.ts';
import { type ReferenceLines, referenceLines } from './reference-lines.ts';
import { type Labelled, labelledBy, rowLabel } from './row-label.ts';
import { legendSeries, MEMBER, RANK, seriesOf } from './series-members.ts';
import { showValue } from './show-value.ts';
import { ShownTexts } from './shown-texts.ts';
import { textWidth } from './text-width.ts';
import { mixed, seriesColors, surfaceOf, type ThemeTokens } from './theme.ts';
import { type TrendPoint, trendsOf } from './trend.ts';
import { labelOf, radius } from './value-labels.ts';
import { channelDefinition, isRange, NAMING, type Scope } from './vega-lite-channel.ts';

export interface Size {
  /** In pixels. */
  width: number;
  height: number;
}

type Json = Record<string, unknown>;

/**
 * The chart as a specification of Vega-Lite with the rows in it. Columns get names of their own (`c0`, `c1`, …),
 * because Vega reads a name such as `a.b` as a path, and a hostile one might be read as more.
 */
export function vegaLiteSpec(
  given: ChartLook,
  data: DrawnRows,
  { theme, hiddenSeries = [], ...size }: Size & { theme: ThemeTokens; hiddenSeries?: readonly number[] },
): TopLevelSpec {
  const columns = drawnColumns(data);
  const texts = new ShownTexts(data);
  const named = withNamesBeside(given, data, size);
  const ends = lineEnds(named, data, { columns, texts, size });
  const look = withLegend(named, ends !== undefined);
  const layers = look.layer ?? [{ mark: look.mark, encoding: look.encoding ?? {} }];
  const facets = facetsOf(layers[0]!.encoding, columns, texts);
  const { text, muted } = surfaceOf(theme);
  const lines = referenceLines(look, lineAxis(layers, data.columns), {
    ...size,
    isInside: facets !== undefined || look.config?.independentY === true,
    color: text,
  });
  const beside = ends ? { right: ends.right, top: 0 } : lines?.beside;
  const whole = roomBeside(beside, layers, { columns, texts, data, config: look.config, size });
  const grid = facets && gridOf(facets, data, withoutLegends(size, whole));
  const inner = grid?.size ?? size;
  // The charts of a grid share the titles of their axes.
  const room = grid ? { ...whole, plot: grid.size, hasTitles: { x: false, y: whole.hasTitles.y } } : whole;
  const colors = { colors: seriesColors(theme), muted };
  const hasNames = layers.some(({ mark }) => NAMING.has(mark.type));
  const alone = aloneRows(layers, data);
  const hasAlone = alone.size > 0;
  const hasPoints = data.rows.length <= MAX_POINTS;
  const slices = layers.find(({ mark }) => mark.type === 'arc');
  const series = legendSeries(layers, columns, { texts, data, room });
  const hidden = new Set(hiddenSeries.flatMap((at) => series?.names[at] ?? []));
  const trends = trendsOf(look, data)
    .map(({ row, points }) => ({ name: series?.nameOf?.(row) ?? '', points }))
    .filter(({ name }) => !hidden.has(name));
  const shown = layers.map((_, layer) => layer).filter((layer) => !hidden.has(room.layers?.[layer] ?? ''));
  const parts = (shown.length > 0 ? shown : [0]).map((layer) =>
    viewsOf(layers[layer]!.mark, {
      columns,
      texts,
      data,
      room,
      ...colors,
      encoding: layers[layer]!.encoding,
      look,
      size: inner,
      // Hidden series keep their names in the legend.
      series: hidden.size > 0 || trends.length > 0 ? series?.names : undefined,
      trends,
      ends,
      hidden,
      // Colors of lines may be too light for text.
      colorOf: (place) => mixed(colors.colors[place % colors.colors.length]!, text, 0.45),
      hasNames,
      hasPoints,
      hasAlone,
      layer,
      text,
      lines: lines?.axis.layer === layer ? lines : undefined,
    }),
  );
  // What belongs to a layer shares its axis.
  const views = look.config?.independentY ? parts.map(layeredOf) : parts.flat();
  const only = layeredOf(views);
  const resolve = look.config?.independentY ? { resolve: { scale: { y: 'independent' } } } : {};
  const spec = grid
    ? { ...facetedBy(facets!, grid), spec: { ...only, ...inner, ...resolve } }
    : {
        ...only,
        ...inner,
        ...resolve,
        padding: paddingOf(look, columns, data, size),
        autosize: { type: 'fit', contains: 'padding' },
      };
  const labels = layers.map(({ mark, encoding }) => labelledBy(mark.type, encoding));
  const nameOf = hidden.size > 0 ? series?.nameOf : undefined;
  const values = valuesOf(columns, data, {
    texts,
    labels,
    series: seriesOf(layers, columns, { texts, room }),
    alone,
    slices: slices ? slicesOf(slices, data, room.plot) : [],
  }).filter((_, index) => !nameOf || !hidden.has(nameOf(data.rows[index]!)));
  return { data: { values }, background: null, ...spec } as unknown as TopLevelSpec;
}

const PADDING = 5;

const layeredOf = (views: readonly Json[]): Json => (views.length === 1 ? views[0]! : { layer: views });

/** Names at the ends of lines take the place of the legend; without room for them, it stands where it has some. */
function withLegend(look: ChartLook, hasEnds: boolean): ChartLook {
  if (look.config?.legend !== 'direct') return look;
  const { legend: _direct, ...config } = look.config;
  return { ...look, config: hasEnds ? { ...config, legend: 'none' } : config };
}

/** The room of a chart that has labels of lines beside its plot, and legends to the right of them. */
function roomBeside(
  beside: ReferenceLines['beside'] | undefined,
  layers: Parameters<typeof chartRoom>[0],
  { size, ...given }: Parameters<typeof chartRoom>[1],
): ChartRoom {
  if (!beside) return chartRoom(layers, { ...given, size });
  const { right, top } = beside;
  const room = chartRoom(layers, { ...given, size: { width: size.width - right, height: size.height - top } });
  const legends = Object.entries(room.legends).map(([channel, { legend, ...each }]) => [
    channel,
    {
      ...each,
      legend: isAtRight(each) ? { ...legend, offset: right + Number(legend.offset ?? LEGEND_OFFSET) } : legend,
    },
  ]);
  return { ...room, legends: Object.fromEntries(legends) };
}

/** That of Vega. */
const LEGEND_OFFSET = 18;
const isAtRight = ({ orient }: { orient: string }): boolean => orient === 'right';

/** The values beside lying bars and above others are outside of the plot. */
function paddingOf(look: ChartLook, columns: readonly Drawn[], data: ChartData, { width }: Size): Json | number {
  const { x, y } = look.encoding ?? {};
  if (!look.config?.showLabels || look.layer || look.mark.type !== 'bar') return PADDING;
  const drawnOf = (field: string | undefined) => columns.find(({ column }) => column.name === field);
  const [beside, above] = [drawnOf(x?.field), drawnOf(y?.field)];
  if (beside?.kind !== 'number' || above?.kind === 'number')
    return { top: PADDING + LABEL_SIZE, bottom: PADDING, left: PADDING, right: PADDING };
  const at = data.columns.indexOf(beside.column);
  const widths = data.rows.map((row) => textWidth(showValue(beside.column, row[at], x?.format), LABEL_SIZE));
  return { top: PADDING, bottom: PADDING, left: PADDING, right: PADDING + Math.min(width / 4, Math.max(0, ...widths)) };
}

const withoutLegends = ({ width, height }: Size, { legends }: ChartRoom): Size => {
  const taken = Object.values(legends).map((legend) => legend.taken);
  return {
    width: width - Math.max(0, ...taken.map((each) => each.width)),
    height: height - taken.reduce((sum, each) => sum + each.height, 0),
  };
};

/** Lines of more values would be large pictures. */
const MAX_POINTS = 400;

interface NamedTrend {
  name: string;
  points: readonly TrendPoint[];
}

interface View extends Omit<Scope, 'mark'> {
  /** Whether lines have points to name their values by, which cannot be seen. */
  hasPoints: boolean;
  /** Whether rows have no neighbors that a line could connect them with. */
  hasAlone: boolean;
  layer: number;
  /** The color of texts. */
  text: string;
  /** Those on the axis of the layer. */
  lines: ReferenceLines | undefined;
  /** The trends of the series that are drawn, with their names. */
  trends: readonly NamedTrend[];
  ends: LineEnds | undefined;
  hidden: ReadonlySet<string>;
  /** Of the name of a series. */
  colorOf(place: number): string;
}

/** The mark, and where wanted its values as text on top. */
function viewsOf(mark: Mark, view: View): Json[] {
  const scope: Scope = { ...view, mark: mark.type };
  const encoding = withLayerColor({ ...encodingOf(scope), ...membersOf(scope) }, mark, view);
  const base = { mark: { ...markOf(mark, view), ...nameOf(mark, view.layer) }, encoding };
  const label = view.look.config?.showLabels ? labelOf(mark, scope, encoding) : undefined;
  const alone = isPath(mark) && mark.point !== true && view.hasAlone ? aloneOf(mark, encoding) : undefined;
  // Values are written over lines.
  const lines = view.lines?.views(encoding[view.lines.axis.channel] as Json, view.room.plot.width) ?? [];
  const ends = view.ends?.view(encoding, view.colorOf, view.hidden);
  return [base, alone, ...trendViews(encoding, view), ...lines, ends, label].filter((each) => each !== undefined);
}

/** Lines through the points of the series, and the bands of their forecasts, in the colors of the series. */
function trendViews({ x, y, color }: Json, { trends }: View): Json[] {
  if (trends.length === 0) return [];
  const positions = (field: string) => {
    const { stack: _stack, sort: _sort, ...vertical } = y as Json;
    const { sort: _order, ...horizontal } = x as Json;
    return { x: { ...horizontal, field: 'x' }, y: { ...vertical, field } };
  };
  const colored = color ? { color: { ...(color as Json), field: 'series' } } : {};
  const rows = trends.flatMap(({ name, points }) =>
    points.map(({ x: place, value, band, label }) => ({
      x: place,
      value,
      ...band,
      label,
      series: name,
      isBeyond: Boolean(band),
    })),
  );
  const band = {
    data: { values: rows.filter(({ isBeyond }) => isBeyond) },
    mark: { type: 'area', opacity: 0.16, line: false, aria: false },
    encoding: { ...positions('low'), y2: { field: 'high' }, ...colored },
  };
  const line = {
    data: { values: rows },
    mark: {
      ...{ type: 'line', strokeDash: [6, 4], strokeWidth: 1.5, opacity: 0.9, aria: false },
      point: { opacity: 0, description: { expr: 'datum["label"]' }, aria: true },
    },
    encoding: { ...positions('value'), ...colored },
  };
  return rows.some(({ isBeyond }) => isBeyond) ? [band, line] : [line];
}

/** Layers that have names have a color each, which the title of an axis of their own has too. */
function withLayerColor(encoding: Json, mark: Mark, { room, layer, look, colors, text }: View): Json {
  const names = room.layers;
  if (!names) return encoding;
  const range = names.map((_, index) => look.layer?.[index]?.mark.color ?? colors[index % colors.length]!);
  const legend = room.legends.color ? { ...room.legends.color.legend, title: null } : null;
  const color = { datum: names[layer], type: 'nominal', title: null, scale: { domain: names, range }, legend };
  const { axis, ...y } = (encoding.y ?? {}) as Json;
  if (!look.config?.independentY || !axis || mark.type === 'rule') return { ...encoding, color };
  // Colors of marks may be too light for text.
  const shade = mixed(range[layer]!, text, 0.45);
  return { ...encoding, color, y: { ...y, axis: { ...axis, titleColor: shade, labelColor: shade } } };
}

/** Series that share a color are still marks of their own. */
const membersOf = ({ mark, encoding: { color, order }, room: { shared } }: Scope): Json =>
  shared && color
    ? { detail: { field: MEMBER }, ...(mark === 'arc' && !order && { order: { field: RANK, type: 'quantitative' } }) }
    : {};

/** A line of one value has no length: a point shows it. */
const aloneOf = ({ color }: Mark, encoding: Json): Json => ({
  transform: [{ filter: { field: ALONE, equal: true } }],
  mark: { type: 'point', filled: true, opacity: 1, aria: false, ...(color !== undefined && { color }) },
  encoding,
});

const FACETS: ReadonlySet<string> = new Set(['row', 'column']);

function encodingOf(scope: Scope): Json {
  const channels = Object.entries(scope.encoding).filter(([name]) => name !== 'tooltip' && !FACETS.has(name));
  const encoding: Record<string, Json> = Object.assign(
    {},
    ...channels.map(([name, value]) => channelDefinition(name as ChannelName, value, scope)),
  );
  const { theta } = encoding;
  return scope.mark === 'arc' && theta?.type === 'quantitative'
    ? { ...encoding, theta: { ...theta, field: SLICE } }
    : encoding;
}

/**
 * A mark is named by the values of its row. A box of many rows has no values of a single one. The name is no channel,
 * because Vega-Lite would stack areas by it.
 */
const nameOf = ({ type }: Mark, layer: number): Json =>
  type === 'boxplot' ? {} : { description: { expr: `datum["${labelName(layer)}"]` } };

const labelName = (layer: number): string => `label${layer}`;

/** The points of a line name its values, whether they are seen or not. */
function pointsOf(mark: Mark, { hasPoints, layer }: View): Json {
  const name = nameOf(mark, layer);
  // Otherwise the points of a line would have the color of the theme.
  if (mark.point === true) return { point: { ...(mark.color !== undefined && { color: mark.color }), ...name } };
  return hasPoints && mark.point === undefined ? { point: { opacity: 0, ...name } } : {};
}

const ROUND = new Set(['bar', 'rect', 'arc']);

function markOf(mark: Mark, view: View): Json {
  const { columns, encoding } = view;
  const { type, innerRadius, size: markSize, columns: _columns, ...rest } = mark;
  return {
    ...rest,
    type,
    ...(type === 'arc' && innerRadius !== undefined && { innerRadius: radius(innerRadius) }),
    ...(type === 'area' && { line: true, opacity: rest.opacity ?? 0.6 }),
    ...(type === 'point' && { filled: rest.filled ?? true }),
    ...(type === 'line' && { strokeCap: 'round', strokeJoin: 'round' }),
    ...((type === 'line' || type === 'area') && pointsOf(mark, view)),
    // Vega-Lite draws nothing where bars of ranges have round ends.
    ...(['x', 'y'].some((name) => isRange(columns, encoding[name as 'x' | 'y'])) && { cornerRadiusEnd: 0 }),
    ...(ROUND.has(type) && rest.cornerRadius !== undefined && { cornerRadius: rest.cornerRadius }),
    ...(markSize !== undefined && { size: markSize }),
  };
}

/** Bars lie where their names have no room below them: readers read on where a slanted name would be cut. */
function withNamesBeside(look: ChartLook, data: ChartData, size: Size): ChartLook {
  const { x, y, row, column, xOffset, ...others } = look.encoding ?? {};
  if (look.layer || look.mark.type !== 'bar' || !x || !y || row || column || xOffset) return look;
  const columns = drawnColumns(data);
  const [names, values] = [x, y].map(({ field }) => columns.find((each) => each.column.name === field));
  if (names?.kind !== 'other' || values?.kind !== 'number' || x.axis !== undefined || y.axis !== undefined) return look;
  const shown = new ShownTexts(data).names(names, undefined);
  const room = chartRoom([look as never], {
    columns,
    texts: new ShownTexts(data),
    data,
    config: look.config,
    size,
  }).plot;
  if (!isBetterBeside(shown, { length: room.width, across: size.height })) return look;
  const turned = { x: y, y: { ...x, ...(typeof x.sort === 'string' && { sort: TURNED[x.sort] ?? x.sort }) } };
  return { ...look, encoding: { ...others, ...turned } as Encoding };
}

const TURNED: Readonly<Record<string, 'x' | '-x' | 'y' | '-y'>> = { x: 'y', y: 'x', '-x': '-y', '-y': '-x' };

function valuesOf(
  columns: readonly Drawn[],
  data: DrawnRows,
  {
    texts,
    labels,
    series,
    alone,
    slices,
  }: {
    texts: ShownTexts;
    labels: readonly (readonly Labelled[])[];
    series: (row: readonly unknown[]) => Json;
    alone: ReadonlySet<number>;
    slices: readonly Slice[];
  },
): Json[] {
  return data.rows.map((row, index) => {
    const cells = columns.map((drawn, at) => cellsOf(drawn, row[at]));
    const named = labels.map((shown, layer) => ({ [labelName(layer)]: rowLabel(shown, data.columns, row) }));
    return Object.assign(
      { row: data.places ? data.places[index] : index },
      ...cells,
      texts.cells(row),
      ...named,
      series(row),
      alone.has(index) ? { [ALONE]: true } : {},
      slices[index] ?? {},
    );
  });
}
