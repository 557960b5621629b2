import { DAY_MS } from './durations.ts';
import {
  FISCAL_GRAINS,
  FISCAL_MONTHS,
  type FiscalCalendar,
  type FiscalCount,
  type FiscalGrain,
  fiscalCount,
  indexInYear,
  isFiscal,
  type MonthsGrain,
  startInWeeks,
  weekInYear,
  weekStart,
} from './fiscal-years.ts';
import { addPeriods, firstOfMonth, PERIOD_GRAINS, type PeriodGrain, startOfPeriod } from './periods.ts';

export const TIME_GRAINS = [...PERIOD_GRAINS, ...FISCAL_GRAINS] as const;
export type TimeGrain = (typeof TIME_GRAINS)[number];

/** A grain together with its calendar, as one text. */
export type FiscalUnit = `${FiscalGrain}@${string}`;
export type TimeUnit = PeriodGrain | FiscalUnit;

export function timeUnit(grain: TimeGrain, calendar: FiscalCalendar | null | undefined): TimeUnit {
  if (!isFiscal(grain)) return grain;
  const { firstMonth = 1, weeks } = calendar ?? {};
  const parts = weeks
    ? [firstMonth, weeks.pattern, weeks.firstDay ?? 'monday', weeks.yearStart ?? 'nearest']
    : [firstMonth];
  return `${grain}@${parts.join(' ')}`;
}

/** Undefined for any other text. */
export function readFiscalUnit(unit: string): FiscalCount | undefined {
  const [grain = '', text = ''] = unit.split('@');
  if (!isFiscal(grain)) return undefined;
  const [month, pattern, firstDay, yearStart] = text.split(' ');
  const weeks = pattern && { pattern, firstDay, yearStart };
  return fiscalCount(grain, { firstMonth: Number(month), ...(weeks && { weeks }) } as FiscalCalendar);
}

/** The periods of a year of weeks. */
const PER_YEAR = { fiscal_period: 12, fiscal_quarter: 4, fiscal_year: 1 } as const;

/** The start of the period around a local time. */
export function startOfUnit(unit: TimeUnit, local: number): number {
  const count = readFiscalUnit(unit);
  if (!count) return startOfPeriod(unit as PeriodGrain, local);
  const { grain, weeks, monthShift } = count;
  if (grain === 'fiscal_week') return weekStart(weeks?.dayShift ?? 0, local);
  if (!weeks) return startInMonths(monthShift, FISCAL_MONTHS[grain], local);
  const { year, week } = weekInYear(count, weeks, local);
  return startInWeeks(count, weeks, year, startingWeek(grain, weeks.bias, week));
}

/** The start of the period that is `count` periods after the one that starts at `start`. */
export function addUnits(unit: TimeUnit, start: number, by: number): number {
  const count = readFiscalUnit(unit);
  if (!count) return addPeriods(unit as PeriodGrain, start, by);
  const { grain, weeks } = count;
  if (grain === 'fiscal_week') return start + by * 7 * DAY_MS;
  if (!weeks) return addPeriods('month', start, by * FISCAL_MONTHS[grain]);
  const { year, week } = weekInYear(count, weeks, start);
  const perYear = PER_YEAR[grain];
  const index = indexInYear(grain, weeks.bias, week) + by;
  const inYear = index - Math.floor(index / perYear) * perYear;
  const first = grain === 'fiscal_period' ? firstWeekOf(inYear, weeks.bias) : inYear * 13;
  return startInWeeks(count, weeks, year + Math.floor(index / perYear), first);
}

function startInMonths(shift: number, months: number, local: number): number {
  const date = new Date(local);
  const month = date.getUTCMonth() - shift;
  return firstOfMonth(date.getUTCFullYear(), shift + Math.floor(month / months) * months);
}

const firstWeekOf = (period: number, bias: number): number => Math.ceil((13 * period - bias) / 3);

function startingWeek(grain: MonthsGrain, bias: number, week: number): number {
  const index = indexInYear(grain, bias, week);
  return grain === 'fiscal_period' ? firstWeekOf(index, bias) : index * 13;
}
