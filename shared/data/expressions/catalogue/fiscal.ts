import { FISCAL_MONTHS, type FiscalCount, LAST_FULL_WEEK } from '../../../platform/schedule/fiscal-years.ts';

/** The beginning of the fiscal period that a local time is in, as a timestamp in the SQL of both engines. */
export function fiscalBeginning({ grain, monthShift, weeks }: FiscalCount, wall: string): string {
  if (!weeks) {
    if (grain === 'fiscal_week') return `date_trunc('week', ${wall})`;
    return inMonths(FISCAL_MONTHS[grain], monthShift, wall);
  }
  const { dayShift, latestStart, bias } = weeks;
  const week = weekStart(dayShift, wall);
  if (grain === 'fiscal_week') return week;
  const year = inMonths(12, monthShift, shifted(week, 6 - latestStart, 'day'));
  const start = weekStart(dayShift, shifted(year, latestStart, 'day'));
  if (grain === 'fiscal_year') return start;
  // A 53rd week is in the period of the one before.
  const full = `least(floor(CAST(extract(day FROM ${week} - ${start}) AS integer) / 7.0), ${LAST_FULL_WEEK})`;
  const first =
    grain === 'fiscal_quarter'
      ? `13 * floor(${full} / 13.0)`
      : `ceil((13 * floor((3 * ${full} + ${bias}) / 13.0) - ${bias}) / 3.0)`;
  return `(${start} + CAST(${first} AS integer) * INTERVAL '7 day')`;
}

const TRUNCATED = { 1: 'month', 3: 'quarter', 12: 'year' } as const;

/** Quarters that begin in January are those that begin in April. */
function inMonths(months: keyof typeof TRUNCATED, monthShift: number, wall: string): string {
  const by = monthShift % months;
  return shifted(`date_trunc('${TRUNCATED[months]}', ${shifted(wall, -by, 'month')})`, by, 'month');
}

const weekStart = (dayShift: number, wall: string): string =>
  shifted(`date_trunc('week', ${shifted(wall, -dayShift, 'day')})`, dayShift, 'day');

const shifted = (wall: string, count: number, unit: 'day' | 'month'): string =>
  count === 0 ? wall : `(${wall} ${count < 0 ? '-' : '+'} INTERVAL '${Math.abs(count)} ${unit}')`;
