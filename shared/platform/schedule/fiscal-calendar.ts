import { DAY_MS } from './durations.ts';
import { addPeriods, firstOfMonth, PERIOD_GRAINS, type PeriodGrain, startOfPeriod } from './periods.ts';

/** Periods of a fiscal calendar, which consist of whole days. */
export const FISCAL_GRAINS = ['fiscal_week', 'fiscal_period', 'fiscal_quarter', 'fiscal_year'] as const;
export type FiscalGrain = (typeof FISCAL_GRAINS)[number];
export const TIME_GRAINS = [...PERIOD_GRAINS, ...FISCAL_GRAINS] as const;
export type TimeGrain = (typeof TIME_GRAINS)[number];

export const WEEK_PATTERNS = ['4-4-5', '4-5-4', '5-4-4'] as const;
export const WEEKDAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const;
export const YEAR_STARTS = ['nearest', 'last'] as const;
export const YEAR_NAMES = ['start', 'end'] as const;

export interface FiscalCalendar {
  /** The month in which the year begins, from 1; a year of weeks begins near its first day. */
  firstMonth: number;
  /** The calendar year whose number a year has: the one in which it starts, or by default the one in which it ends. */
  yearName?: (typeof YEAR_NAMES)[number];
  /** Absent for years of twelve months. */
  weeks?: {
    /** The weeks of the three periods of each quarter. A 53rd week belongs to the last period of its year. */
    pattern: (typeof WEEK_PATTERNS)[number];
    /** By default Monday. */
    firstDay?: (typeof WEEKDAYS)[number];
    /** Which first day of a week begins the year: by default that nearest to the first of the month, or the last until it. */
    yearStart?: (typeof YEAR_STARTS)[number];
  };
}

/** That of models without one. */
const DEFAULT_CALENDAR: FiscalCalendar = { firstMonth: 1 };

/** A grain together with its calendar, as one text. */
export type FiscalUnit = `${FiscalGrain}@${string}`;
export type TimeUnit = PeriodGrain | FiscalUnit;

export const isFiscal = (grain: string): grain is FiscalGrain => (FISCAL_GRAINS as readonly string[]).includes(grain);

export function timeUnit(grain: TimeGrain, calendar: FiscalCalendar | null | undefined): TimeUnit {
  if (!isFiscal(grain)) return grain;
  const { firstMonth, weeks } = calendar ?? DEFAULT_CALENDAR;
  const parts = weeks
    ? [firstMonth, weeks.pattern, weeks.firstDay ?? 'monday', weeks.yearStart ?? 'nearest']
    : [firstMonth];
  return `${grain}@${parts.join(' ')}`;
}

/** How the periods of a unit are counted. */
export interface FiscalCount {
  grain: FiscalGrain;
  /** Months from January to the first one of the year. */
  monthShift: number;
  weeks?: {
    /** Days from Monday to the first one of a week. */
    dayShift: number;
    /** How many days after the first of its first month a year begins at the latest. */
    latestStart: number;
    /** Week `n` of a year is in the period `floor((3 * n + bias) / 13)`, all of them counted from 0. */
    bias: number;
  };
}

const BIAS = { '4-4-5': 2, '4-5-4': 1, '5-4-4': 0 } as const;
const LATEST_START = { nearest: 3, last: 0 } as const;

/** Undefined for any other text. */
export function readFiscalUnit(unit: string): FiscalCount | undefined {
  const [grain = '', text = ''] = unit.split('@');
  if (!isFiscal(grain)) return undefined;
  const [month, pattern, firstDay, yearStart] = text.split(' ');
  const monthShift = Number(month) - 1;
  if (pattern === undefined) return { grain, monthShift };
  return {
    grain,
    monthShift,
    weeks: {
      dayShift: WEEKDAYS.indexOf(firstDay as (typeof WEEKDAYS)[number]),
      latestStart: LATEST_START[yearStart as keyof typeof LATEST_START],
      bias: BIAS[pattern as keyof typeof BIAS],
    },
  };
}

/** The months of each period of a year of months. */
export const FISCAL_MONTHS = { fiscal_period: 1, fiscal_quarter: 3, fiscal_year: 12 } as const;
type MonthsGrain = keyof typeof FISCAL_MONTHS;
/** The periods of a year of weeks. */
const PER_YEAR = { fiscal_period: 12, fiscal_quarter: 4, fiscal_year: 1 } as const;
export const LAST_FULL_WEEK = 51;

/** The start of the period around a local time. */
export function startOfUnit(unit: TimeUnit, local: number): number {
  const count = readFiscalUnit(unit);
  if (!count) return startOfPeriod(unit as PeriodGrain, local);
  const { grain, weeks, monthShift } = count;
  if (grain === 'fiscal_week') return weekStart(weeks?.dayShift ?? 0, local);
  if (!weeks) return startInMonths(monthShift, FISCAL_MONTHS[grain], local);
  const { year, week } = weekOf(count, weeks, local);
  return startInWeeks(count, weeks, year, startingWeek(grain, weeks.bias, week));
}

/** The start of the period that is `count` periods after the one that starts at `start`. */
export function addUnits(unit: TimeUnit, start: number, by: number): number {
  const count = readFiscalUnit(unit);
  if (!count) return addPeriods(unit as PeriodGrain, start, by);
  const { grain, weeks } = count;
  if (grain === 'fiscal_week') return start + by * 7 * DAY_MS;
  if (!weeks) return addPeriods('month', start, by * FISCAL_MONTHS[grain]);
  const { year, week } = weekOf(count, weeks, start);
  const perYear = PER_YEAR[grain];
  const index = indexOf(grain, weeks.bias, week) + by;
  const inYear = index - Math.floor(index / perYear) * perYear;
  const first = grain === 'fiscal_period' ? firstWeekOf(inYear, weeks.bias) : inYear * 13;
  return startInWeeks(count, weeks, year + Math.floor(index / perYear), first);
}

/** The year of a local time, and the number of its period of the grain within the year, from 1. */
export function fiscalPlace(
  grain: FiscalGrain,
  calendar: FiscalCalendar | null | undefined,
  local: number,
): { year: number; number: number } {
  const count = readFiscalUnit(timeUnit(grain, calendar))!;
  const { monthShift, weeks } = count;
  const isLater = monthShift > 0 && calendar?.yearName !== 'start';
  const place = (year: number, index: number) => ({ year: year + (isLater ? 1 : 0), number: index + 1 });
  if (weeks) {
    const { year, week } = weekOf(count, weeks, local);
    return place(year, grain === 'fiscal_week' ? week : indexOf(grain, weeks.bias, week));
  }
  const date = new Date(local);
  const month = date.getUTCMonth() - monthShift;
  const year = date.getUTCFullYear() - (month < 0 ? 1 : 0);
  const months = grain === 'fiscal_week' ? 1 : FISCAL_MONTHS[grain];
  return place(year, Math.floor((month < 0 ? month + 12 : month) / months));
}

function startInMonths(shift: number, months: number, local: number): number {
  const date = new Date(local);
  const month = date.getUTCMonth() - shift;
  return firstOfMonth(date.getUTCFullYear(), shift + Math.floor(month / months) * months);
}

type Weeks = NonNullable<FiscalCount['weeks']>;

const weekStart = (dayShift: number, local: number): number =>
  startOfPeriod('week', local - dayShift * DAY_MS) + dayShift * DAY_MS;

function startInWeeks({ monthShift }: FiscalCount, weeks: Weeks, year: number, week: number): number {
  const first = weekStart(weeks.dayShift, firstOfMonth(year, monthShift) + weeks.latestStart * DAY_MS);
  return first + week * 7 * DAY_MS;
}

/** The calendar year near whose first month the fiscal year begins, and the week in it, from 0. */
function weekOf(count: FiscalCount, weeks: Weeks, local: number): { year: number; week: number } {
  const start = weekStart(weeks.dayShift, local);
  // A year that begins until a date has its first month until as many days later.
  const near = new Date(start + (6 - weeks.latestStart) * DAY_MS);
  const year = near.getUTCFullYear() - (near.getUTCMonth() < count.monthShift ? 1 : 0);
  return { year, week: (start - startInWeeks(count, weeks, year, 0)) / (7 * DAY_MS) };
}

function indexOf(grain: MonthsGrain, bias: number, week: number): number {
  const full = Math.min(week, LAST_FULL_WEEK);
  if (grain === 'fiscal_year') return 0;
  return grain === 'fiscal_quarter' ? Math.floor(full / 13) : Math.floor((3 * full + bias) / 13);
}

const firstWeekOf = (period: number, bias: number): number => Math.ceil((13 * period - bias) / 3);

function startingWeek(grain: MonthsGrain, bias: number, week: number): number {
  const index = indexOf(grain, bias, week);
  return grain === 'fiscal_period' ? firstWeekOf(index, bias) : index * 13;
}
