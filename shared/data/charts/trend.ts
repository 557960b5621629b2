import { addUnits, timeUnit } from '../../platform/schedule/fiscal-calendar.ts';
import { linearTrend, MIN_FORECAST_POINTS } from '../statistics/linear-trend.ts';
import type { DrawnRows } from './box-rows.ts';
import { type ChartColumn, type ChartData, kindOf, numberValue, timeValue } from './chart-columns.ts';
import type { ChartLook } from './chart-look.ts';
import { showValue } from './show-value.ts';

/** A value of the horizontal axis, and what the line of a series says of it. */
export interface TrendPoint {
  x: number;
  value: number;
  /** Of points beyond the known ones: where a value lies with a probability of 80 %. */
  band: { low: number; high: number } | undefined;
  label: string;
}

export interface SeriesTrend {
  /** A row of the series, which has its name. */
  row: readonly unknown[];
  points: readonly TrendPoint[];
}

interface Axis {
  at: number;
  column: ChartColumn;
}

/** A forecast has at most so many periods for each known one. */
const MAX_REACH = 0.5;
const MAX_PERIODS = 5000;

/** Undefined where the chart has no trend, or lacks an axis for it. */
function axesOf({ mark, layer, encoding = {}, config }: ChartLook, { columns }: ChartData) {
  const axisOf = (field: string | undefined): Axis | undefined => {
    const at = columns.findIndex(({ name }) => name === field);
    return at < 0 ? undefined : { at, column: columns[at]! };
  };
  const [x, y] = [axisOf(encoding.x?.field), axisOf(encoding.y?.field)];
  if (!config?.trend || layer || !x || !y || !canHaveTrend(mark.type, x.column, y.column)) return undefined;
  const series = axisOf(encoding.color?.field);
  return { x, y, seriesAt: series && kindOf(series.column) === 'other' ? series.at : undefined };
}

/** Whether both axes have an order and distances. */
export const canHaveTrend = (type: string, x: ChartColumn, y: ChartColumn): boolean =>
  (type === 'line' || type === 'point') && kindOf(x) !== 'other' && kindOf(y) === 'number';

const placeOf = (column: ChartColumn, value: unknown): number | null =>
  kindOf(column) === 'time' ? timeValue(value) : numberValue(value);

/**
 * The rows with one of no value for each period of the forecast, for which the axis needs room. A forecast of few
 * periods is shorter than wanted, and with fewer than eight there is none.
 */
export function withForecastPeriods(look: ChartLook, data: DrawnRows): DrawnRows {
  const axes = axesOf(look, data);
  const wanted = look.config?.trend?.periods ?? 0;
  if (!axes || wanted === 0 || !axes.x.column.grain) return data;
  const { at, column } = axes.x;
  const unit = timeUnit(column.grain!, column.calendar);
  const known = knownPlaces(axes, data);
  if (known.length < MIN_FORECAST_POINTS) return data;
  const count = Math.min(wanted, Math.floor(known.length * MAX_REACH));
  const rows = Array.from({ length: count }, (_, index) => {
    const start = new Date(addUnits(unit, known.at(-1)!, index + 1)).toISOString();
    const period = start.slice(0, column.type === 'date' ? 10 : 19);
    return data.columns.map((_column, each) =>
      each === at ? period : each === axes.seriesAt ? (data.rows[0]?.[each] ?? null) : null,
    );
  });
  const places = data.places ?? data.rows.map((_, index) => index);
  return { ...data, rows: [...data.rows, ...rows], places: [...places, ...rows.map(() => null)] };
}

/** The values of the horizontal axis that have a number, in their order. */
function knownPlaces({ x, y }: { x: Axis; y: Axis }, { rows }: ChartData): number[] {
  const found = rows.flatMap((row) => (numberValue(row[y.at]) === null ? [] : (placeOf(x.column, row[x.at]) ?? [])));
  return [...new Set(found)].sort((one, other) => one - other);
}

/** The trend of each series along its points, and beyond them where the rows have further periods. */
export function trendsOf(look: ChartLook, data: ChartData): SeriesTrend[] {
  const axes = axesOf(look, data);
  if (!axes) return [];
  const { x, y, seriesAt } = axes;
  const all = [...new Set(data.rows.flatMap((row) => placeOf(x.column, row[x.at]) ?? []))].sort((a, b) => a - b);
  const stepOf = stepsOf(x.column, all);
  const series = Map.groupBy(data.rows, (row) => JSON.stringify(seriesAt === undefined ? null : row[seriesAt]));
  return [...series.values()].flatMap((rows) => {
    const known = rows.flatMap((row) => {
      const [place, value] = [placeOf(x.column, row[x.at]), numberValue(row[y.at])];
      return place === null || value === null ? [] : [{ place, x: stepOf(place), y: value }];
    });
    const trend = linearTrend(known);
    if (!trend) return [];
    const [first, last] = [Math.min(...known.map((each) => each.place)), Math.max(...known.map((each) => each.place))];
    const points = all.flatMap((place): TrendPoint[] => {
      const isBeyond = place > last;
      const band = isBeyond ? trend.bandAt(stepOf(place)) : undefined;
      if (place < first || (isBeyond && (!look.config?.trend?.periods || !band))) return [];
      const value = trend.at(stepOf(place));
      return [{ x: place, value, band, label: labelOf({ place, value, band }) }];
    });
    return [{ row: rows[0]!, points }];
  });

  function labelOf({ place, value, band }: { place: number } & Pick<TrendPoint, 'value' | 'band'>): string {
    const written = (number: number) => showValue(y.column, Number(number.toPrecision(4)), look.encoding?.y?.format);
    const moment = kindOf(x.column) === 'time' ? new Date(place).toISOString().slice(0, 19) : place;
    const named = `${x.column.name}: ${showValue(x.column, moment, look.encoding?.x?.format)}`;
    if (!band) return `${named}; Trend: ${written(value)}`;
    return `${named}; Forecast: ${written(value)}; 80 % between: ${written(band.low)} and ${written(band.high)}`;
  }
}

/** Periods are steps of one, although months have different lengths. */
function stepsOf({ grain, calendar }: ChartColumn, places: readonly number[]): (place: number) => number {
  if (!grain || places.length === 0) return (place) => place;
  const unit = timeUnit(grain, calendar);
  const steps = new Map<number, number>();
  for (let start = places[0]!; start <= places.at(-1)! && steps.size < MAX_PERIODS; start = addUnits(unit, start, 1))
    steps.set(start, steps.size);
  // Periods of another calendar begin at other times.
  return places.every((place) => steps.has(place)) ? (place) => steps.get(place)! : (place) => place;
}
