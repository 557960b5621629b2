import type { ChartColumn } from './chart-columns.ts';

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** The name of a period, such as `Q1 2026`; the date and the time of any other moment. */
export function periodLabel({ type, grain }: ChartColumn, ms: number): string {
  const date = new Date(ms);
  const year = String(date.getUTCFullYear());
  const month = date.getUTCMonth();
  if (grain === 'year') return year;
  if (grain === 'quarter') return `Q${Math.floor(month / 3) + 1} ${year}`;
  if (grain === 'month') return `${MONTHS[month]} ${year}`;
  const day = date.toISOString().slice(0, -14);
  return grain === 'day' || grain === 'week' || type === 'date' ? day : `${day} ${date.toISOString().slice(-13, -8)}`;
}
