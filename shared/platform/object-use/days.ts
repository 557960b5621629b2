export const DAY_MS = 24 * 60 * 60 * 1000;

/** How many days uses are counted. */
export const COUNTED_DAYS = 30;

export const dayOf = (at: Date): string => at.toISOString().slice(0, 10);

/** People open an object, or run or ask it; the latter counts as both. */
export type UseKind = 'view' | 'query';

const PREFIXES: Record<UseKind, string> = { view: 'd', query: 'q' };

/** The name of the attribute that counts the people of a day. */
export const attributeOf = (day: string, kind: UseKind = 'view'): string => PREFIXES[kind] + day.replaceAll('-', '');

/** The day that lies so many days before, and the number of days after it, latest first. */
export const daysBefore = (now: Date, from: number, count: number): string[] =>
  Array.from({ length: count }, (_, index) => dayOf(new Date(now.getTime() - (from + index) * DAY_MS)));

export const TRENDS = ['rising', 'steady', 'falling'] as const;
export type Trend = (typeof TRENDS)[number];

/** Fewer uses than this are no trend. */
const LEAST_USES = 5;

/** The later half of the counted days against the earlier one. */
export function trendOf(countOn: (day: string) => number, now: Date): Trend {
  const half = COUNTED_DAYS / 2;
  const sum = (days: string[]) => days.reduce((total, day) => total + countOn(day), 0);
  const [late, early] = [sum(daysBefore(now, 0, half)), sum(daysBefore(now, half, half))];
  if (late + early < LEAST_USES) return 'steady';
  if (late > early * 1.25) return 'rising';
  return late < early * 0.8 ? 'falling' : 'steady';
}
