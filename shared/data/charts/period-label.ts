import { fiscalPlace, isFiscal } from '../../platform/schedule/fiscal-years.ts';
import type { ChartColumn } from './chart-columns.ts';

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** The name of a period, such as `Q1 2026` or `FY2026 P03`; the date and the time of any other moment. */
export function periodLabel({ type, grain, calendar }: ChartColumn, ms: number): string {
  if (grain && isFiscal(grain) && (grain !== 'fiscal_week' || calendar?.weeks)) {
    const { year, number } = fiscalPlace(grain, calendar, ms);
    return FISCAL_NAMES[grain](`FY${year}`, number);
  }
  const date = new Date(ms);
  const year = String(date.getUTCFullYear());
  const month = date.getUTCMonth();
  if (grain === 'year') return year;
  if (grain === 'quarter') return `Q${Math.floor(month / 3) + 1} ${year}`;
  if (grain === 'month') return `${MONTHS[month]} ${year}`;
  const day = date.toISOString().slice(0, -14);
  return grain === 'day' || grain === 'week' || type === 'date' ? day : `${day} ${date.toISOString().slice(-13, -8)}`;
}

const padded = (number: number) => String(number).padStart(2, '0');
const FISCAL_NAMES = {
  fiscal_year: (year: string) => year,
  fiscal_quarter: (year: string, number: number) => `${year} Q${number}`,
  fiscal_period: (year: string, number: number) => `${year} P${padded(number)}`,
  fiscal_week: (year: string, number: number) => `${year} W${padded(number)}`,
} as const;
