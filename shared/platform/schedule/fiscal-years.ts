import { DAY_MS } from './durations.ts';
import { firstOfMonth, startOfPeriod } from './periods.ts';

/** Periods of a fiscal calendar, which consist of whole days. */
export const FISCAL_GRAINS = ['fiscal_week', 'fiscal_period', 'fiscal_quarter', 'fiscal_year'] as const;
export type FiscalGrain = (typeof FISCAL_GRAINS)[number];

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
    /** The day of a week that begins the year: nearest to the first of the month (default), or the last until it. */
    yearStart?: (typeof YEAR_STARTS)[number];
  };
}

export const isFiscal = (grain: string): grain is FiscalGrain => grain.startsWith('fiscal_');

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

/** Without a calendar, years begin in January. */
export function fiscalCount(grain: FiscalGrain, calendar: FiscalCalendar | null | undefined): FiscalCount {
  const { firstMonth = 1, weeks } = calendar ?? {};
  if (!weeks) return { grain, monthShift: firstMonth - 1 };
  const { pattern, firstDay = 'monday', yearStart = 'nearest' } = weeks;
  return {
    grain,
    monthShift: firstMonth - 1,
    weeks: { dayShift: WEEKDAYS.indexOf(firstDay), latestStart: LATEST_START[yearStart], bias: BIAS[pattern] },
  };
}

/** The months of each period of a year of months. */
export const FISCAL_MONTHS = { fiscal_period: 1, fiscal_quarter: 3, fiscal_year: 12 } as const;
export type MonthsGrain = keyof typeof FISCAL_MONTHS;
export const LAST_FULL_WEEK = 51;

/** The year of a local time, and the number of its period of the grain within the year, from 1. */
export function fiscalPlace(
  grain: FiscalGrain,
  calendar: FiscalCalendar | null | undefined,
  local: number,
): { year: number; number: number } {
  const count = fiscalCount(grain, calendar);
  const { monthShift, weeks } = count;
  const isLater = monthShift > 0 && calendar?.yearName !== 'start';
  const place = (year: number, index: number) => ({ year: year + (isLater ? 1 : 0), number: index + 1 });
  if (weeks) {
    const { year, week } = weekInYear(count, weeks, local);
    return place(year, grain === 'fiscal_week' ? week : indexInYear(grain, weeks.bias, week));
  }
  const date = new Date(local);
  const month = date.getUTCMonth() - monthShift;
  const year = date.getUTCFullYear() - (month < 0 ? 1 : 0);
  const months = grain === 'fiscal_week' ? 1 : FISCAL_MONTHS[grain];
  return place(year, Math.floor((month < 0 ? month + 12 : month) / months));
}

type Weeks = NonNullable<FiscalCount['weeks']>;

export const weekStart = (dayShift: number, local: number): number =>
  startOfPeriod('week', local - dayShift * DAY_MS) + dayShift * DAY_MS;

export function startInWeeks({ monthShift }: FiscalCount, weeks: Weeks, year: number, week: number): number {
  const first = weekStart(weeks.dayShift, firstOfMonth(year, monthShift) + weeks.latestStart * DAY_MS);
  return first + week * 7 * DAY_MS;
}

/** The calendar year near whose first month the fiscal year begins, and the week in it, from 0. */
export function weekInYear(count: FiscalCount, weeks: Weeks, local: number): { year: number; week: number } {
  const start = weekStart(weeks.dayShift, local);
  // A year that begins until a date has its first month until as many days later.
  const near = new Date(start + (6 - weeks.latestStart) * DAY_MS);
  const year = near.getUTCFullYear() - (near.getUTCMonth() < count.monthShift ? 1 : 0);
  return { year, week: (start - startInWeeks(count, weeks, year, 0)) / (7 * DAY_MS) };
}

export function indexInYear(grain: MonthsGrain, bias: number, week: number): number {
  const full = Math.min(week, LAST_FULL_WEEK);
  if (grain === 'fiscal_year') return 0;
  return grain === 'fiscal_quarter' ? Math.floor(full / 13) : Math.floor((3 * full + bias) / 13);
}
