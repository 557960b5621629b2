import { describe, expect, it } from 'vitest';
import { checkDays, type DailyPoint, volumeOf } from '../../../../shared/data/statistics/daily-series.ts';
import { DEFAULT_THRESHOLD } from '../../../../shared/data/statistics/robust-baseline.ts';
import { seededRandom } from '../../../support/seeded-random.ts';

const dayAt = (index: number) => new Date(Date.UTC(2025, 0, 1 + index)).toISOString().slice(0, 10);
const series = (values: readonly number[]): DailyPoint[] =>
  values.map((value, index) => ({ date: dayAt(index), value }));
const unusualDays = (points: readonly DailyPoint[]) =>
  checkDays(points, DEFAULT_THRESHOLD).flatMap((check, index) => (check?.isUnusual ? [points[index]!.date] : []));

const DAYS = 365;
const INCIDENTS = 12;
/** Incidents begin after so many days. */
const WARM_UP = 60;

/**
 * A year of rows per day: busy weekdays, quiet weekends, a peak at the end of each month, slow growth, noise and
 * incidents.
 */
function simulatedYear(seed: number): { points: DailyPoint[]; incidents: Set<string> } {
  const random = seededRandom(seed);
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const incidents = new Set<string>();
  while (incidents.size < INCIDENTS) incidents.add(dayAt(WARM_UP + Math.floor(random() * (DAYS - WARM_UP))));
  const points = Array.from({ length: DAYS }, (_, index) => {
    const date = dayAt(index);
    const weekday = new Date(`${date}T00:00:00Z`).getUTCDay();
    const isLast = dayAt(index + 1).endsWith('-01');
    const usual = 10_000 * (1 + index / 1000) * (weekday === 0 || weekday === 6 ? 0.4 : 1) * (isLast ? 2.5 : 1);
    const value = usual * (1 + 0.04 * normal());
    const factor = [0, 0.3, 0.5, 1.8, 3][Math.floor(random() * 5)]!;
    return { date, value: Math.round(incidents.has(date) ? value * factor : value) };
  });
  return { points, incidents };
}

/** The plain rule: three standard deviations from the mean of the last sixty days, whatever they were. */
function threeSigmaDays(points: readonly DailyPoint[]): string[] {
  return points.flatMap(({ date, value }, index) => {
    const before = points.slice(Math.max(0, index - 60), index).map((point) => point.value);
    if (before.length < 7) return [];
    const mean = before.reduce((sum, each) => sum + each, 0) / before.length;
    const deviation = Math.sqrt(before.reduce((sum, each) => sum + (each - mean) ** 2, 0) / (before.length - 1));
    return Math.abs(value - mean) > 3 * deviation ? [date] : [];
  });
}

function quality(found: readonly string[][], truth: readonly Set<string>[]) {
  const hits = found.flatMap((days, index) => days.filter((day) => truth[index]!.has(day))).length;
  const reported = found.flat().length;
  const real = truth.reduce((sum, { size }) => sum + size, 0);
  return { precision: hits / reported, recall: hits / real };
}

describe('a year of days', () => {
  it('has its incidents found more often, with fewer false ones, than by three standard deviations', () => {
    const years = Array.from({ length: 40 }, (_, seed) => simulatedYear(seed + 1));
    const truth = years.map(({ incidents }) => incidents);
    const later = (days: string[]) => days.filter((day) => day >= dayAt(WARM_UP));
    const ours = quality(
      years.map(({ points }) => later(unusualDays(points))),
      truth,
    );
    const plain = quality(
      years.map(({ points }) => later(threeSigmaDays(points))),
      truth,
    );
    const shown = ({ precision, recall }: typeof ours) =>
      `precision ${precision.toFixed(2)}, recall ${recall.toFixed(2)}`;
    console.info(`seasonal and robust: ${shown(ours)}; three standard deviations: ${shown(plain)}`);
    expect(ours.recall).toBeGreaterThan(0.95);
    expect(ours.precision).toBeGreaterThan(0.85);
    expect(ours.recall).toBeGreaterThan(plain.recall + 0.2);
    expect(ours.precision).toBeGreaterThan(plain.precision);
  });
});

describe('the check of days', () => {
  it('has no result before the seventh earlier day', () => {
    const checks = checkDays(series([1, 1, 1, 1, 1, 1, 1, 900]), DEFAULT_THRESHOLD);
    expect(checks.slice(0, 7)).toEqual(Array(7).fill(undefined));
    expect(checks[7]).toMatchObject({ isUnusual: true, season: 'none' });
  });

  it('knows weekends once there are seven of each', () => {
    const values = Array.from({ length: 70 }, (_, index) => (index % 7 < 5 ? 100 + (index % 3) : 40 + (index % 2)));
    const checks = checkDays(series(values), DEFAULT_THRESHOLD);
    expect(checks.slice(49).map((check) => [check!.season, check!.isUnusual])).toEqual(
      Array(21).fill(['day_of_week', false]),
    );
    expect(unusualDays(series([...values.slice(0, 69), 100]))).toContain(dayAt(69));
  });

  it('excuses the end of a month from the third on', () => {
    const values = Array.from({ length: 180 }, (_, index) =>
      dayAt(index + 1).endsWith('-01') ? 300 + (index % 5) : 100 + (index % 3),
    );
    expect(unusualDays(series(values))).toEqual(['2025-01-31', '2025-02-28']);
  });

  it('does not learn from an incident', () => {
    const values = Array.from({ length: 40 }, (_, index) => (index === 20 || index === 21 ? 0 : 100 + (index % 4)));
    expect(unusualDays(series(values))).toEqual([dayAt(20), dayAt(21)]);
  });
});

describe('the volume of a table', () => {
  it('is what each day has added if the table only grows', () => {
    const growing = series([0, 10, 20, 30, 40, 50, 60, 70, 80]);
    expect(volumeOf(growing)).toEqual({
      isCumulative: true,
      points: series([0, 10, 10, 10, 10, 10, 10, 10, 10]).slice(1),
    });
    expect(volumeOf(series([5, 9, 4, 8, 3, 9, 5, 6])).isCumulative).toBe(false);
    expect(volumeOf(series(Array(9).fill(5))).isCumulative).toBe(false);
  });
});
