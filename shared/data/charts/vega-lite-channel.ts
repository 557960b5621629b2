import { type ChartData, timeValue, typeOf, type VegaType } from './chart-columns.ts';
import type { ChannelName, ChartLook, Encoding, MarkType } from './chart-look.ts';
import type { ChartRoom } from './chart-room.ts';
import type { Drawn } from './drawn-column.ts';
import { labelTexts } from './label-texts.ts';
import { every, LABEL_SIZE, nameLabels } from './name-axis.ts';
import { nameText } from './show-value.ts';
import { showOrder } from './shown-order.ts';
import type { ShownTexts } from './shown-texts.ts';
import { textWidth } from './text-width.ts';
import { timeTicks } from './time-ticks.ts';
import { numberLabels } from './vega-number-text.ts';

/** What the definition of a channel depends on. */
export interface Scope {
  mark: MarkType;
  columns: readonly Drawn[];
  texts: ShownTexts;
  encoding: Encoding;
  look: ChartLook;
  data: ChartData;
  room: ChartRoom;
  /** The colors of series, and that of those that share one. */
  colors: readonly string[];
  muted: string;
  size: { width: number; height: number };
  /** Whether periods are names because a mark of the chart needs it: layers share their axes. */
  hasNames: boolean;
  /** The names of the legend of colors, where the rows do not have all of them. */
  series?: readonly string[] | undefined;
}

type Json = Record<string, unknown>;
type Definition = NonNullable<Encoding['x']> & Pick<NonNullable<Encoding['color']>, 'legend'>;

/** Marks that stand beside each other on an axis, so that periods are names there and no points in time. */
export const DISCRETE: ReadonlySet<MarkType> = new Set(['bar', 'rect', 'boxplot']);
/**
 * Marks on whose axes periods are names: a text at the end of an axis of time would cover the labels of the other one.
 */
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
  if (channel === 'text' && drawn.kind !== 'other') return { text: showText(definition, scope.texts, drawn) };
  const isPeriod = drawn.kind === 'time' && (type !== 'temporal' || isPeriodName(channel, drawn, scope));
  const isName = isPeriod || (drawn.kind === 'number' && isNamed(channel, type));
  const drawnType = isPeriod ? 'ordinal' : type;
  return {
    [channel]: {
      field: isShared(channel, drawnType, scope)
        ? SERIES
        : isName
          ? scope.texts.name(drawn, definition.format)
          : drawn.name,
      type: drawnType,
      ...look(channel, definition, drawn, drawnType, scope),
      ...(isName &&
        drawnType === 'ordinal' &&
        definition.sort === undefined && { sort: { field: drawn.name, op: 'min' } }),
    },
  };
}

/** The field with the name whose color a row has, where many names share one. */
export const SERIES = 'series';

/** Whether the values are names there: numbers such as years and codes, which keep all their digits. */
const isNamed = (channel: ChannelName, type: VegaType): boolean =>
  (type === 'nominal' || type === 'ordinal') && channel !== 'order';

/** A value as text on the chart, which is sorted by what it stands for. */
export const showText = (
  { format, title }: Pick<Definition, 'format' | 'title'>,
  texts: ShownTexts,
  drawn: Drawn,
): Json => ({
  field: texts.value(drawn, format),
  type: 'nominal',
  title: title ?? drawn.column.name,
});

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
  const { title, format, sort, stack, legend, axis } = definition;
  const isPosition = POSITIONS.has(channel);
  return {
    // Without a title on the axis or the legend, tooltips and screen readers still name the column.
    title: title ?? (title === undefined || isPosition || hasLegend(channel) ? drawn.column.name : null),
    ...sorted(channel, sort, drawn, type),
    ...(stack !== undefined && { stack }),
    ...((isPosition || channel === 'color' || channel === 'size') && {
      scale: isShared(channel, type, scope)
        ? sharedScale(scope)
        : {
            ...(channel === 'color' && scope.series && { domain: scope.series }),
            ...allNames(channel, definition, type, drawn, scope),
            ...scaleOf(definition, drawn, type),
          },
    }),
    ...(isPosition &&
      axis !== null && {
        axis: {
          ...axisOf(
            channel as 'x' | 'y',
            { ...axis },
            { definition, isShare: stack === 'normalize' },
            type,
            drawn,
            scope,
          ),
          ...(title === null || (title === undefined && !scope.room.hasTitles[channel as 'x' | 'y'])
            ? { title: null }
            : {}),
        },
      }),
    ...(isPosition && axis === null && { axis: null }),
    ...(channel === 'text' && format !== undefined && { format }),
    ...(hasLegend(channel) && {
      legend: legendOf(
        legend,
        format,
        { channel, type, drawn, scope },
        { ...untitled(title), ...(channel === 'size' && FEW_SIZES) },
      ),
    }),
  };
}

/** The names of rows without a value have a place on the axis too. */
function allNames(
  channel: ChannelName,
  definition: Definition,
  type: VegaType,
  drawn: Drawn,
  { texts, data, encoding }: Scope,
): Json {
  if (!POSITIONS.has(channel) || type !== 'nominal' || drawn.kind !== 'other') return {};
  return {
    domain: showOrder(texts.names(drawn, undefined), definition, drawn, {
      data,
      encoding,
      nameOf: texts.nameOf(drawn, undefined),
    }),
  };
}

const isShared = (channel: ChannelName, type: VegaType, { room: { shared } }: Scope): boolean =>
  channel === 'color' && type === 'nominal' && shared !== undefined;

const sharedScale = ({ room: { shared }, colors, muted }: Scope): Json => ({
  domain: [...shared!.shown, shared!.name],
  range: [...shared!.shown.map((_, index) => colors[index % colors.length]), muted],
});

const untitled = (title: string | null | undefined): Json => (title === null ? { title: null } : {});

const hasLegend = (channel: ChannelName): boolean => channel === 'color' || channel === 'size' || channel === 'shape';

/** Names keep the order in which the query returned them unless the chart says otherwise. */
function sorted(channel: ChannelName, sort: Definition['sort'], drawn: Drawn, type: VegaType): Json {
  if (sort !== undefined) return { sort: sortOf(sort, drawn, type) };
  return type === 'nominal' && channel !== 'text' ? { sort: null } : {};
}

function sortOf(sort: NonNullable<Definition['sort']> | null, drawn: Drawn, type: VegaType): unknown {
  const { name, kind } = drawn;
  // The names of periods and numbers are sorted by what they stand for, not by the alphabet.
  if (kind !== 'other' && (sort === 'ascending' || sort === 'descending'))
    return { field: name, op: 'min', order: sort };
  return Array.isArray(sort) ? namesOf(sort, drawn, type) : sort;
}

function scaleOf({ scale, format }: Definition, drawn: Drawn, type: VegaType): Json {
  const { domain, ...rest } = scale ?? {};
  const isTime = drawn.kind === 'time' && type === 'temporal';
  return {
    ...rest,
    ...(type === 'temporal' && { type: 'utc' }),
    ...(domain && { domain: isTime ? domain.map(instantOf) : namesOf(domain, drawn, type, format) }),
  };
}

/** Numbers as the names that they have where they are names. */
function namesOf(
  values: readonly (string | number)[],
  { kind, column }: Drawn,
  type: VegaType,
  format?: string,
): (string | number)[] {
  const isName = kind === 'number' && (type === 'nominal' || type === 'ordinal');
  return values.map((value) => (isName && typeof value === 'number' ? nameText(column, value, format) : value));
}

const instantOf = (bound: string | number): number => (typeof bound === 'number' ? bound : (timeValue(bound) ?? 0));

/** The eye needs so much between two numbers of a vertical axis, and numbers such as `€25.5M` of a horizontal one. */
const NUMBER_STEP = { x: 90, y: 42 };

function axisOf(
  channel: 'x' | 'y',
  axis: NonNullable<Definition['axis']>,
  { definition, isShare }: { definition: Definition; isShare: boolean },
  type: VegaType,
  drawn: Drawn,
  scope: Scope,
): Json {
  const {
    look: { config },
    room: { plot },
  } = scope;
  const shown = axis.format ?? definition.format;
  const { format: _format, ...rest } = axis;
  const length = channel === 'x' ? plot.width : plot.height;
  const count = Math.max(2, Math.min(6, Math.round(length / NUMBER_STEP[channel])));
  return {
    labelOverlap: 'greedy',
    labelLimit: 160,
    titleLimit: length,
    ...(config?.grid !== undefined && { grid: config.grid }),
    ...(type === 'quantitative' && { tickCount: count }),
    ...(axis.labels !== false && labelsOf(channel, axis, definition, type, drawn, scope)),
    ...rest,
    ...(shown !== undefined && (type === 'quantitative' || type === 'temporal') && { format: shown }),
    ...(shown === undefined && type === 'quantitative' && !isShare && !isLog(definition) && numbersOf(drawn)),
    // A number without its last digits is another one.
    ...(type === 'quantitative' && { labelLimit: 0 }),
  };
}

/** Scales of powers name few of their many lines, which Vega chooses. */
const isLog = ({ scale }: Definition): boolean => scale?.type === 'log' || scale?.type === 'symlog';

/** How the names and the moments of an axis are written, unless the chart says it. */
function labelsOf(
  channel: 'x' | 'y',
  axis: NonNullable<Definition['axis']>,
  definition: Definition,
  type: VegaType,
  drawn: Drawn,
  { texts, data, room: { plot, hasTitles }, size, encoding }: Scope,
): Json {
  if (type === 'quantitative' || axis.labelAngle !== undefined || axis.tickCount !== undefined) return {};
  const length = channel === 'x' ? plot.width : plot.height;
  const across = channel === 'x' ? size.height : size.width;
  const shown = axis.format ?? definition.format;
  if (drawn.kind === 'time' && channel === 'x' && shown === undefined && !drawn.column.format) {
    const at = data.columns.indexOf(drawn.column);
    const moments = new Map(
      data.rows.flatMap((row) => {
        const moment = timeValue(row[at]);
        return moment === null ? [] : [[moment, row] as const];
      }),
    );
    const ticks = timeTicks([...moments.keys()], drawn.column.grain, {
      length,
      isInPlaces: type !== 'temporal',
      calendar: drawn.column.calendar,
    });
    if (ticks && type === 'temporal')
      return {
        ...labelTexts(ticks),
        values: { expr: JSON.stringify([...ticks.keys()]) },
        labelOverlap: false,
        labelFlush: false,
      };
    const nameOf = texts.nameOf(drawn, shown);
    const named = [...(ticks ?? [])].flatMap(([moment, text]) => {
      const row = moments.get(moment);
      return row ? [[nameOf(row), text] as const] : [];
    });
    if (named.length > 0 && type === 'ordinal')
      return { ...labelTexts(new Map(named)), values: named.map(([name]) => name), labelOverlap: false, labelAngle: 0 };
  }
  if (type === 'temporal') return {};
  const names = showOrder(texts.names(drawn, definition.format), definition, drawn, {
    data,
    encoding,
    nameOf: texts.nameOf(drawn, definition.format),
  });
  if (drawn.kind === 'other')
    return nameLabels(channel, names, { length, across, before: LEFT.numbers + (hasTitles.y ? LEFT.title : 0) });
  // Periods and numbers follow each other: some of them name the others.
  const room = channel === 'x' ? Math.max(...names.map((name) => textWidth(name, LABEL_SIZE))) + 8 : LABEL_SIZE + 3;
  const few = (room * names.length) / length;
  return { labelOverlap: false, labelLimit: 0, labelAngle: 0, ...(few > 1 && { values: every(names, few) }) };
}

/** What short numbers and the title of a vertical axis take. */
const LEFT = { numbers: 26, title: 20 };

/** From this size on, thousands and millions are written as such. */
const COMPACT = 10_000;

/** The numbers of an axis or a legend, in the format of their column. */
const numbersOf = ({ kind, column, size = 0 }: Drawn, digits?: number): Json =>
  kind === 'number' ? numberLabels(column.format, { isCompact: size >= COMPACT, digits }) : {};

/** The ends of a legend of numbers are those of the rows, and its description names them with all digits. */
const LEGEND_DIGITS = 3;

/** The eye tells a few sizes apart, and a list of more does not fit beside a small chart. */
const FEW_SIZES = { tickCount: 3 };

function legendOf(
  legend: Definition['legend'],
  format: string | undefined,
  { channel, type, drawn, scope }: { channel: ChannelName; type: VegaType; drawn: Drawn; scope: Scope },
  more: Json,
): Json | null {
  const { config } = scope.look;
  const orient = legend?.orient ?? config?.legend;
  if (legend === null || orient === 'none') return null;
  const shown = legend?.format ?? format;
  return {
    ...(type === 'quantitative' && drawn.span && { description: spanText(drawn) }),
    ...scope.room.legends[channel]?.legend,
    ...more,
    ...(legend?.title !== undefined && { title: legend.title }),
    ...(type === 'quantitative' || type === 'temporal'
      ? shown === undefined
        ? type === 'quantitative' && { ...numbersOf(drawn, LEGEND_DIGITS), labelLimit: 0 }
        : { format: shown }
      : {}),
  };
}

/** What a legend of numbers says to those who do not see it; Vega would round the numbers. */
const spanText = ({ column: { name }, span }: Drawn): string => `Legend of ${name}, from ${span![0]} to ${span![1]}`;
