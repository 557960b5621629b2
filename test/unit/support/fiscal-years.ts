import type { FiscalCalendar, FiscalGrain } from '../../../shared/platform/schedule/fiscal-calendar.ts';

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
export function fiscalDays(calendar: FiscalCalendar, from: number, to: number): FiscalDay[] {
  const days: FiscalDay[] = [];
  for (let year = from; year <= to; year += 1) {
    const isLater = calendar.firstMonth > 1 && calendar.yearName !== 'start';
    const end = startOf(calendar, year + 1);
    const lengths = periodStarts(calendar, year);
    const starts = { fiscal_year: '', fiscal_quarter: '', fiscal_period: '', fiscal_week: '' };
    const numbers = { fiscal_year: 1, fiscal_quarter: 0, fiscal_period: 0, fiscal_week: 0 };
    for (let day = startOf(calendar, year); day < end; day = plus(day, 1)) {
      if (starts.fiscal_year === '') starts.fiscal_year = day;
      if (lengths.includes(day)) {
        numbers.fiscal_period += 1;
        starts.fiscal_period = day;
        if (numbers.fiscal_period % 3 === 1) {
          numbers.fiscal_quarter += 1;
          starts.fiscal_quarter = day;
        }
      }
      if (weekday(day) === (calendar.weeks?.firstDay ?? 'monday')) {
        numbers.fiscal_week += 1;
        starts.fiscal_week = day;
      }
      const week = starts.fiscal_week || mondayOf(day);
      days.push({
        day,
        year: isLater ? year + 1 : year,
        starts: { ...starts, fiscal_week: week },
        numbers: { ...numbers },
      });
    }
  }
  return days;
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
