import { api, type Types } from './client.ts';
import { limited } from './limited.ts';
import { useQuery } from './query.ts';

export type Metric = Types.Metric;
export type MetricDetails = Types.MetricDetails;
export type MetricValue = Types.MetricValue;
export type Compare = 'previous_period' | 'same_period_last_year';

export const useMetric = (id: string, enabled = true) =>
  useQuery(['metrics', id], () => api.metrics.get(id), { enabled });

/** Values are computed by queries: not all of a list at the same time. */
const inTurn = limited(4);

const asOfThe = (date: string) => (date ? { asOf: date } : {});

export const useMetricValue = (id: string, { asOf = '', compare = 'previous_period' as Compare, enabled = true }) =>
  useQuery(
    ['metrics', id, 'value', asOf, compare],
    () => inTurn(() => api.metrics.getValue(id, { compare, ...asOfThe(asOf) }).then()),
    { enabled, keepsLast: true },
  );

export const useMetricSeries = (id: string, { asOf = '', enabled = true }) =>
  useQuery(['metrics', id, 'series', asOf], () => inTurn(() => api.metrics.getSeries(id, asOfThe(asOf)).then()), {
    enabled,
    keepsLast: true,
  });

export const useMetricDrivers = (id: string, by: string, { asOf = '', compare = 'previous_period' as Compare }) =>
  useQuery(
    ['metrics', id, 'drivers', by, asOf, compare],
    () => api.metrics.getDrivers(id, { by, compare, limit: 20, ...asOfThe(asOf) }),
    { enabled: by !== '', keepsLast: true },
  );

/** What a period is called, such as `March 2026`; its time zone decides where it begins. */
export function periodText(from: string, grain: string, timezone: string): string {
  const date = new Date(from);
  const text = (choices: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat('en', { timeZone: timezone, ...choices }).format(date);
  const year = text({ year: 'numeric' });
  if (grain === 'year') return year;
  if (grain === 'quarter') return `Q${Math.ceil(Number(text({ month: 'numeric' })) / 3)} ${year}`;
  if (grain === 'month') return text({ month: 'long', year: 'numeric' });
  const day = text({ day: 'numeric', month: 'short', year: 'numeric' });
  return grain === 'week' ? `week of ${day}` : day;
}
