import { type ChartColumn, timeValue, typeOf, type ValueKind, type VegaType } from './chart-columns.ts';
import type { ChannelName, ChartLook, Encoding, MarkType } from './chart-look.ts';

/** A column under the name that it has in the specification of Vega-Lite. */
export interface Drawn {
  column: ChartColumn;
  name: string;
  kind: ValueKind;
}

/** What the definition of a channel depends on. */
export interface Scope {
  mark: MarkType;
  columns: readonly Drawn[];
  encoding: Encoding;
  look: ChartLook;
  size: { width: number; height: number };
  /** Whether periods are names because a mark of the chart needs it: layers share their axes. */
  hasNames: boolean;
}

type Json = Record<string, unknown>;
type Definition = NonNullable<Encoding['x']> & Pick<NonNullable<Encoding['color']>, 'legend'>;

/** Marks that stand beside each other on an axis, so that periods are names there and no points in time. */
export const DISCRETE: ReadonlySet<MarkType> = new Set(['bar', 'rect', 'boxplot']);
/** Marks on whose axes periods are names: a text at the end of an axis of time would cover the labels of the other one. */
export const NAMING: ReadonlySet<MarkType> = new Set([...DISCRETE, 'text']);
const POSITIONS: ReadonlySet<string> = new Set(['x', 'y']);

/** One channel, or two for a range, as Vega-Lite defines it. Nothing for a column that the query does not have. */
export function channelDefinition(channel: ChannelName, given: unknown, scope: Scope): Json {
  const definition = given as Definition;
  const drawn = scope.columns.find(({ column }) => column.name === definition.field);
  if (!drawn) return {};
  const range = rangeOf(channel, drawn, scope);
  if (range)
    return { ...range, [channel]: { ...range[channel]!, ...look(channel, definition, drawn, 'quantitative', scope) } };
  const type = definition.type ?? typeOf(drawn.column);
  const isName = drawn.kind === 'time' && (type !== 'temporal' || isPeriodName(channel, drawn, scope));
  const field = isName ? `${drawn.name}_label` : drawn.name;
  const drawnType = isName ? 'ordinal' : type;
  return {
    [channel]: {
      field,
      type: drawnType,
      ...look(channel, definition, drawn, drawnType, scope),
      ...(isName && definition.sort === undefined && channel !== 'text' && { sort: { field: drawn.name, op: 'min' } }),
    },
  };
}

function isPeriodName(channel: ChannelName, { column }: Drawn, { hasNames, mark }: Scope): boolean {
  if (POSITIONS.has(channel)) return hasNames && (column.grain !== undefined || mark !== 'bar');
  return column.grain !== undefined;
}

/** Whether a channel shows ranges of numbers. */
export const isRange = (columns: readonly Drawn[], channel: { field: string } | undefined): boolean =>
  columns.find(({ column }) => column.name === channel?.field)?.column.binWidth !== undefined;

/** Ranges of numbers are drawn from where they begin to where they end. */
function rangeOf(channel: ChannelName, { column, name }: Drawn, { mark }: Scope): Record<string, Json> | undefined {
  if (!POSITIONS.has(channel) || column.binWidth === undefined || !DISCRETE.has(mark)) return undefined;
  return {
    [channel]: { field: name, type: 'quantitative', bin: { binned: true, step: column.binWidth } },
    [`${channel}2`]: { field: `${name}_end` },
  };
}

function look(channel: ChannelName, definition: Definition, drawn: Drawn, type: VegaType, scope: Scope): Json {
  const { title, format, sort, stack, legend, axis, scale } = definition;
  const isPosition = POSITIONS.has(channel);
  return {
    // Without a title on the axis or the legend, tooltips and screen readers still name the column.
    title: title ?? (title === undefined || isPosition || hasLegend(channel) ? drawn.column.name : null),
    ...sorted(channel, sort, drawn, type),
    ...(stack !== undefined && { stack }),
    ...((isPosition || channel === 'color' || channel === 'size') && { scale: scaleOf(scale, drawn, type) }),
    ...(isPosition &&
      axis !== null && { axis: { ...axisOf({ ...axis }, format, type, drawn, scope), ...untitled(title) } }),
    ...(isPosition && axis === null && { axis: null }),
    ...(channel === 'text' && format !== undefined && { format }),
    ...(hasLegend(channel) && {
      legend: legendOf(legend, format, scope, { ...untitled(title), ...(channel === 'size' && FEW_SIZES) }),
    }),
  };
}

const untitled = (title: string | null | undefined): Json => (title === null ? { title: null } : {});

const hasLegend = (channel: ChannelName): boolean => channel === 'color' || channel === 'size' || channel === 'shape';

/** Names keep the order in which the query returned them unless the chart says otherwise. */
function sorted(channel: ChannelName, sort: Definition['sort'], drawn: Drawn, type: VegaType): Json {
  if (sort !== undefined) return { sort: sortOf(sort, drawn) };
  return type === 'nominal' && channel !== 'text' ? { sort: null } : {};
}

function sortOf(sort: NonNullable<Definition['sort']> | null, { name, kind }: Drawn): unknown {
  // The names of periods are sorted by time, not by the alphabet.
  const isTime = kind === 'time' && (sort === 'ascending' || sort === 'descending');
  return isTime ? { field: name, op: 'min', order: sort } : sort;
}

function scaleOf(scale: Definition['scale'], { kind }: Drawn, type: VegaType): Json {
  const { domain, ...rest } = scale ?? {};
  return {
    ...rest,
    ...(type === 'temporal' && { type: 'utc' }),
    ...(domain && { domain: kind === 'time' && type === 'temporal' ? domain.map(instantOf) : domain }),
  };
}

const instantOf = (bound: string | number): number => (typeof bound === 'number' ? bound : (timeValue(bound) ?? 0));

const AXIS_FORMATS: Partial<Record<NonNullable<ChartColumn['grain']>, string>> = {
  year: '%Y',
  quarter: 'Q%q %Y',
  month: '%b %Y',
};

function axisOf(
  axis: NonNullable<Definition['axis']>,
  format: string | undefined,
  type: VegaType,
  { column }: Drawn,
  { look: { config } }: Scope,
): Json {
  const shown = axis.format ?? format ?? (type === 'temporal' ? column.grain && AXIS_FORMATS[column.grain] : undefined);
  const { format: _format, ...rest } = axis;
  return {
    labelOverlap: 'greedy',
    labelLimit: 160,
    ...(config?.grid !== undefined && { grid: config.grid }),
    ...rest,
    ...(shown !== undefined && (type === 'quantitative' || type === 'temporal') && { format: shown }),
  };
}

/** The eye tells a few sizes apart, and a list of more does not fit beside a small chart. */
const FEW_SIZES = { tickCount: 3 };

/** A legend names so many values; charts with more are read by their tooltips. */
const MAX_LEGEND_VALUES = 30;

function legendOf(
  legend: Definition['legend'],
  format: string | undefined,
  { look: { config } }: Scope,
  more: Json,
): Json | null {
  const orient = legend?.orient ?? config?.legend;
  if (legend === null || orient === 'none') return null;
  const shown = legend?.format ?? format;
  return {
    symbolLimit: MAX_LEGEND_VALUES,
    ...more,
    ...(legend?.title !== undefined && { title: legend.title }),
    ...(orient && { orient }),
    ...(shown !== undefined && { format: shown }),
  };
}
