import { addUnits, startOfUnit, timeUnit } from '../../platform/schedule/fiscal-calendar.ts';
import type { DrawnRows } from './box-rows.ts';
import { type ChartColumn, kindOf, timeValue } from './chart-columns.ts';
import type { ChartLook, Encoding, MarkType } from './chart-look.ts';

const OVER_TIME: ReadonlySet<MarkType> = new Set(['line', 'area', 'bar', 'point', 'rule', 'rect']);
/** Of longer times, a missing period is narrower than a pixel. */
const MAX_PERIODS = 1000;
/** Periods far apart are better side by side than lost in an empty axis. */
const MAX_EMPTY_SHARE = 0.75;

/**
 * The rows with one of no value for each period that has none, so that a line does not run across it as if there had
 * been values. Bars have an empty place there.
 */
export function withPeriodGaps(look: ChartLook, data: DrawnRows): DrawnRows {
  const layers = look.layer ?? [{ mark: look.mark, encoding: look.encoding ?? {} }];
  const { encoding } = layers[0]!;
  const at = data.columns.findIndex(({ name }) => name === encoding.x?.field);
  const column = data.columns[at];
  if (
    !column ||
    !layers.every(({ mark, encoding: { x } }) => OVER_TIME.has(mark.type) && (!x || x.field === column.name))
  )
    return data;
  const missing = missingPeriods(column, data, at);
  if (missing.length === 0) return data;
  const seriesAt = seriesColumns(encoding, data.columns);
  const series = new Map(data.rows.map((row) => [JSON.stringify(seriesAt.map((each) => row[each])), row]));
  const rows = missing.flatMap((period) =>
    [...series.values()].map((row) =>
      data.columns.map((_, index) => (index === at ? period : seriesAt.includes(index) ? row[index] : null)),
    ),
  );
  const places = data.places ?? data.rows.map((_, index) => index);
  const all = [...data.rows, ...rows].map((row, index) => ({ row, place: places[index] ?? null }));
  all.sort((one, other) => (timeValue(one.row[at]) ?? 0) - (timeValue(other.row[at]) ?? 0));
  return { columns: data.columns, rows: all.map(({ row }) => row), places: all.map(({ place }) => place) };
}

/** The columns whose values make a series or a chart of their own. */
function seriesColumns({ color, shape, xOffset, row, column }: Encoding, columns: readonly ChartColumn[]): number[] {
  const fields = [color, shape, xOffset, row, column].map((channel) => channel?.field);
  return columns.flatMap((each, index) => (fields.includes(each.name) && kindOf(each) === 'other' ? [index] : []));
}

/** The periods between the first and the last one of the rows that no row has, as texts like the others. */
function missingPeriods({ grain, type, calendar }: ChartColumn, { rows }: DrawnRows, at: number): string[] {
  if (!grain || kindOf({ name: '', role: 'dimension', type }) !== 'time') return [];
  const present = new Set(rows.flatMap((row) => timeValue(row[at]) ?? []));
  const [first, last] = [Math.min(...present), Math.max(...present)];
  const unit = timeUnit(grain, calendar);
  // The rows of other sources may have periods that begin at other times.
  if (present.size < 2 || [...present].some((moment) => startOfUnit(unit, moment) !== moment)) return [];
  const missing: string[] = [];
  let passed = 0;
  for (let moment = first; moment < last; moment = addUnits(unit, moment, 1)) {
    if (++passed > MAX_PERIODS) return [];
    if (!present.has(moment)) missing.push(new Date(moment).toISOString().slice(0, type === 'date' ? 10 : 19));
  }
  return missing.length > MAX_EMPTY_SHARE * passed ? [] : missing;
}
