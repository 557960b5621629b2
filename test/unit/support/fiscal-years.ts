import {
  FISCAL_GRAINS,
  type FiscalCalendar,
  type FiscalGrain,
} from '../../../shared/platform/schedule/fiscal-years.ts';

/** Calendars of every kind, with the leap weeks of retailers and of ISO 8601 among them. */
export const CALENDARS: Record<string, FiscalCalendar> = {
  january: { firstMonth: 1 },
  april: { firstMonth: 4 },
  october: { firstMonth: 10, yearName: 'start' },
  retail: {
    firstMonth: 2,
    yearName: 'start',
    weeks: { pattern: '4-5-4', firstDay: 'sunday', yearStart: 'nearest' },
  },
  lastSaturday: { firstMonth: 8, weeks: { pattern: '4-4-5', firstDay: 'sunday', yearStart: 'last' } },
  iso: { firstMonth: 1, weeks: { pattern: '5-4-4' } },
};

export interface FiscalDay {
  day: string;
  year: number;
  /** The first day, and the number in the year, of the period of each grain. */
  starts: Record<FiscalGrain, string>;
  numbers: Record<FiscalGrain, number>;
}

const NAMES = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];
export const plus = (day: string, count: number): string => {
  const at = new Date(`${day}T00:00:00Z`);
  at.setUTCDate(at.getUTCDate() + count);
  return at.toISOString().slice(0, 10);
};
const weekday = (day: string) => NAMES[new Date(`${day}T00:00:00Z`).getUTCDay()]!;
const firstOf = (year: number, month: number) =>
  `${year + Math.floor((month - 1) / 12)}-${String(((month - 1) % 12) + 1).padStart(2, '0')}-01`;

/** The days of fiscal years, found by walking through them day by day. */
export const fiscalDays = (calendar: FiscalCalendar, from: number, to: number): FiscalDay[] =>
  Array.from({ length: to - from + 1 }, (_, index) => daysOfYear(calendar, from + index)).flat();

function daysOfYear(calendar: FiscalCalendar, year: number): FiscalDay[] {
  const all = [startOf(calendar, year)];
  for (let day = plus(all[0]!, 1); day < startOf(calendar, year + 1); day = plus(day, 1)) all.push(day);
  const periods = periodStarts(calendar, year);
  const starts = {
    fiscal_year: all.slice(0, 1),
    fiscal_quarter: periods.filter((_, index) => index % 3 === 0),
    fiscal_period: periods,
    fiscal_week: all.filter((day) => weekday(day) === (calendar.weeks?.firstDay ?? 'monday')),
  };
  const isLater = calendar.firstMonth > 1 && calendar.yearName !== 'start';
  return all.map((day) => {
    const numberOf = (grain: FiscalGrain) => starts[grain].filter((start) => start <= day).length;
    const each = <T>(of: (grain: FiscalGrain) => T) =>
      Object.fromEntries(FISCAL_GRAINS.map((grain) => [grain, of(grain)])) as Record<FiscalGrain, T>;
    return {
      day,
      year: isLater ? year + 1 : year,
      // The first days of a year of months are of a week that has begun before.
      starts: each((grain) => starts[grain][numberOf(grain) - 1] ?? mondayOf(day)),
      numbers: each(numberOf),
    };
  });
}

function mondayOf(day: string): string {
  let at = day;
  while (weekday(at) !== 'monday') at = plus(at, -1);
  return at;
}

function startOf({ firstMonth, weeks }: FiscalCalendar, year: number): string {
  const first = firstOf(year, firstMonth);
  if (!weeks) return first;
  const near = weeks.yearStart === 'last' ? [0, -1, -2, -3, -4, -5, -6] : [0, -1, 1, -2, 2, -3, 3];
  return near.map((count) => plus(first, count)).find((day) => weekday(day) === (weeks.firstDay ?? 'monday'))!;
}

function periodStarts(calendar: FiscalCalendar, year: number): string[] {
  const { firstMonth, weeks } = calendar;
  if (!weeks) return Array.from({ length: 12 }, (_, index) => firstOf(year, firstMonth + index));
  const starts: string[] = [];
  let at = startOf(calendar, year);
  for (let quarter = 0; quarter < 4; quarter += 1)
    for (const length of weeks.pattern.split('-')) {
      starts.push(at);
      at = plus(at, 7 * Number(length));
    }
  return starts;
}
