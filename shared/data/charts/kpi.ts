import { fiscalPlace, isFiscal } from '../../platform/schedule/fiscal-years.ts';
import { addPeriods } from '../../platform/schedule/periods.ts';
import { type ChartColumn, type ChartData, kindOf, numberValue, timeValue } from './chart-columns.ts';
import type { ChartLook } from './chart-look.ts';
import { showValue, signedPercent } from './show-value.ts';

/** How a number differs from an earlier one, or from its target. */
export interface Comparison {
  /** The change alone, such as `▲ +4.2%`. */
  change: string;
  /** With what it compares, such as `▲ +4.2% since Feb 2026`. */
  text: string;
  tone: 'good' | 'bad' | 'plain';
}

export interface Kpi {
  title: string;
  /** The name of the period that the value belongs to. Empty for rows without dates. */
  period: string;
  value: string;
  /** Whether the value is a number or a date, which is never cut. */
  isWhole: boolean;
  /** With the period before, the target and the year before, where the rows have them. */
  comparisons: readonly Comparison[];
  history: readonly number[];
  /** The value and the target, where they are numbers. */
  numbers: { value: number | null; target: number | null };
  /** Another number as the value is shown. */
  show(value: number): string;
}

type Row = readonly unknown[];

/** The latest number of the rows, and what it compares with. */
export function kpiOf({ mark, encoding }: ChartLook, { columns, rows }: ChartData): Kpi {
  const shown = encoding?.text;
  const at = indexOf(
    columns,
    shown?.field,
    ({ role, ...column }) => role === 'measure' || kindOf({ role, ...column }) === 'number',
  );
  const column = columns[at] ?? columns[0]!;
  const time = indexOf(columns, encoding?.order?.field, (each) => kindOf(each) === 'time');
  const history = historyOf(rows, time);
  const latest = (history ?? rows).at(-1);
  const show = (value: unknown) => showValue(column, value, shown?.format);
  const nameOf = (row: Row) => showValue(columns[time]!, row[time]);
  const earlier = history ? [history.at(-2), yearBefore(columns[time]!, history, time)] : [];
  const [before, lastYear] = earlier.map(
    (row): Base | undefined => row && { value: numberValue(row[at]), text: `since ${nameOf(row)}` },
  );
  const { target } = mark;
  const wanted = typeof target === 'string' ? latest?.[columns.findIndex(({ name }) => name === target)] : target;
  const goal: Base | undefined =
    numberValue(wanted) === null ? undefined : { value: numberValue(wanted), text: `to target ${show(wanted)}` };
  // The row before may be the one of the year before.
  const bases = earlier[0] === earlier[1] ? [before, goal] : [before, goal, lastYear];
  const value = numberValue(latest?.[at]);
  return {
    title: shown?.title ?? column.name,
    period: time < 0 || latest === undefined ? '' : nameOf(latest),
    value: latest === undefined ? '–' : show(latest[at]) || '–',
    isWhole: kindOf(column) !== 'other',
    comparisons: bases.flatMap((base) => compare(value, base, mark.direction) ?? []),
    history: history?.flatMap((row) => numberValue(row[at]) ?? []) ?? [],
    numbers: { value, target: goal?.value ?? null },
    show,
  };
}

interface Base {
  value: number | null;
  text: string;
}

/** A share of nothing is none. */
function compare(
  value: number | null,
  base: Base | undefined,
  direction: ChartLook['mark']['direction'] = 'up_good',
): Comparison | undefined {
  if (value === null || !base?.value) return undefined;
  const share = (value - base.value) / Math.abs(base.value);
  const change = share === 0 ? signedPercent(0) : `${share < 0 ? '▼' : '▲'} ${signedPercent(share)}`;
  const tone = share === 0 ? 'plain' : share > 0 === (direction === 'up_good') ? 'good' : 'bad';
  return { change, text: `${change} ${base.text}`, tone };
}

/**
 * The rows in the order of their periods. Rows that share a period are no history, and a row without a date belongs to
 * none.
 */
function historyOf(rows: readonly Row[], time: number): Row[] | undefined {
  if (time < 0) return undefined;
  const timed = rows
    .flatMap((row) => {
      const moment = timeValue(row[time]);
      return moment === null ? [] : [{ row, moment }];
    })
    .sort((a, b) => a.moment - b.moment);
  if (timed.length === 0 && rows.length > 0) return undefined;
  const isRepeated = timed.some(({ moment }, index) => moment === timed[index + 1]?.moment);
  return isRepeated ? undefined : timed.map(({ row }) => row);
}

/** Weeks are compared with those 52 weeks before, and other periods with the same one of the year before. */
function yearBefore({ grain, calendar }: ChartColumn, history: readonly Row[], time: number): Row | undefined {
  const latest = timeValue(history.at(-1)?.[time]);
  if (latest === null || grain === undefined || grain === 'year' || grain === 'fiscal_year') return undefined;
  if (isFiscal(grain) && calendar?.weeks) {
    const { year, number } = fiscalPlace(grain, calendar, latest);
    return history.find((row) => {
      const place = fiscalPlace(grain, calendar, timeValue(row[time]) ?? 0);
      return place.year === year - 1 && place.number === number;
    });
  }
  const wanted = grain === 'week' || grain === 'fiscal_week' ? addPeriods('week', latest, -52) : sameDayOf(latest);
  return history.find((row) => timeValue(row[time]) === wanted);
}

/** For 29 February, 28 February. */
function sameDayOf(moment: number): number {
  const date = new Date(moment);
  const month = date.getUTCMonth();
  date.setUTCFullYear(date.getUTCFullYear() - 1);
  return date.getUTCMonth() === month ? date.getTime() : date.setUTCDate(0);
}

function indexOf(
  columns: readonly ChartColumn[],
  name: string | undefined,
  fits: (column: ChartColumn) => boolean,
): number {
  return name === undefined ? columns.findIndex(fits) : columns.findIndex((column) => column.name === name);
}
