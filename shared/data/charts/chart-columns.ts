import type { TimeGrain } from '../../platform/schedule/fiscal-calendar.ts';
import type { FiscalCalendar } from '../../platform/schedule/fiscal-years.ts';
import type { DeclaredFormat } from '../value-formats/declared-format.ts';

/** A column of the rows of a chart. */
export interface ChartColumn {
  name: string;
  role: 'dimension' | 'measure';
  /** A type of the semantic layer, such as `string`, `decimal` or `datetime`. */
  type: string;
  grain?: TimeGrain | undefined;
  /** That of fiscal periods; by default, years begin in January. */
  calendar?: FiscalCalendar | undefined;
  /** The width of the ranges that numbers are grouped by. */
  binWidth?: number | undefined;
  /** As its measure or field declares it. */
  format?: DeclaredFormat | null | undefined;
  /** The format of d3 that the chart gives it, which comes first. */
  showAs?: string | undefined;
  /** Whether its name is a number or a date, as in pivot tables, which is never cut. */
  isNameWhole?: boolean | undefined;
  /** Of a column that shows a measure of a group. */
  pivot?: ColumnPivot | undefined;
}

/** The group that a column of a pivoted answer belongs to. */
export interface ColumnPivot {
  measure: string;
  /** The values of the group as a text. */
  label: string;
  /** The values of the pivoted dimensions; null in the totals of rows. */
  group: readonly unknown[] | null;
}

export interface ChartData {
  columns: readonly ChartColumn[];
  rows: readonly (readonly unknown[])[];
  totals?: readonly TotalRow[] | undefined;
  /** The places of the rows that are totals, once `withTotals` has put them there. */
  totalsAt?: ReadonlySet<number> | undefined;
}

export interface TotalRow {
  /** How many of the leading dimensions the total is for: 0 for the total of all rows. */
  level: number;
  row: readonly unknown[];
}

export type ValueKind = 'number' | 'time' | 'other';

const NUMBERS = /^(number|integer|decimal|double|float|bigint)/;
const TIMES = /^(date|datetime|timestamp)/;

export function kindOf({ type }: ChartColumn): ValueKind {
  if (NUMBERS.test(type)) return 'number';
  return TIMES.test(type) ? 'time' : 'other';
}

export type VegaType = 'quantitative' | 'nominal' | 'ordinal' | 'temporal';

/** How a column is measured unless the chart says otherwise. */
export function typeOf(column: ChartColumn): VegaType {
  const kind = kindOf(column);
  if (kind === 'time') return 'temporal';
  if (kind === 'other') return 'nominal';
  return column.binWidth === undefined || column.role === 'measure' ? 'quantitative' : 'ordinal';
}

/** Local times are drawn as if they were UTC, so that a day never moves. */
const LOCAL_TIME = /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?)?/;

export function timeValue(value: unknown): number | null {
  const match = typeof value === 'string' ? LOCAL_TIME.exec(value) : null;
  if (!match) return null;
  const [year, month, day, hour = 0, minute = 0, second = 0] = match.slice(1, 7).map((part) => Number(part ?? 0));
  const ms = Number(`0.${match[7] ?? 0}`) * 1000;
  // `Date.UTC` takes the years 0 to 99 for the 1900s.
  return new Date(0).setUTCFullYear(year!, month! - 1, day!) + ((hour! * 60 + minute!) * 60 + second!) * 1000 + ms;
}

export function numberValue(value: unknown): number | null {
  const number =
    typeof value === 'number' ? value : typeof value === 'string' && value !== '' ? Number(value) : Number.NaN;
  return Number.isFinite(number) ? number : null;
}

/** The value as Vega reads it. Texts are cut: a label is not a document. */
export function drawnValue(kind: ValueKind, value: unknown): string | number | boolean | null {
  if (value === null || value === undefined) return null;
  if (kind === 'number') return numberValue(value);
  if (kind === 'time') return timeValue(value);
  if (typeof value === 'boolean') return value;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > MAX_LABEL ? `${text.slice(0, MAX_LABEL - 1)}…` : text;
}

/** The label of a missing value. */
export const EMPTY = '(empty)';
const MAX_LABEL = 200;
