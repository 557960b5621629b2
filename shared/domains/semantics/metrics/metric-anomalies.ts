import {
  type Check,
  checkPoints,
  MAX_BASELINE,
  type Season,
  seasonLength,
} from '../../../data/statistics/robust-baseline.ts';
import { addPeriods, type Grain } from '../../../platform/schedule/periods.ts';
import type { QuestionDeps } from '../questions/index.ts';
import type { Amount } from './amounts.ts';
import { type AskedMetric, isAdditive } from './ask-metric.ts';
import { dateOf } from './calendar.ts';
import { metricSeries, type Point, periodsOf, type Series } from './metric-series.ts';

const seasonOf = (grain: Grain): Season => (grain === 'day' ? 'day_of_week' : 'none');

export interface Anomaly extends Check {
  date: string;
  from: string;
  to: string;
  value: Amount;
  direction: 'above' | 'below';
}

export interface Anomalies extends Omit<Series, 'points'> {
  season: Season;
  threshold: number;
  checkedCount: number;
  /** Complete periods that could not be checked, because too few came before them or they have no value. */
  uncheckedCount: number;
  items: Anomaly[];
}

/** The unusual values among the complete periods between two dates. Throws `METRIC_STALE`. */
export async function metricAnomalies(
  deps: QuestionDeps,
  asked: AskedMetric,
  request: { from?: string | undefined; to?: string | undefined; grain: Grain; threshold: number; now: Date },
): Promise<Anomalies> {
  const { grain, threshold } = request;
  const season = seasonOf(grain);
  const [first] = periodsOf(asked.timezone, request);
  const start = addPeriods(grain, first!, -MAX_BASELINE * seasonLength(season));
  const series = await metricSeries(deps, asked, { ...request, from: dateOf(start), fill: 'null' });
  const { points, ...rest } = series;
  const complete = points.filter(({ isComplete }) => isComplete);
  const checks = checkPoints(numbersOf(complete, isAdditive(asked.definition, asked.metric)), { season, threshold });
  const wanted = complete.flatMap((point, index) =>
    point.date >= dateOf(first!) ? [{ point, check: checks[index] }] : [],
  );
  const items = wanted.flatMap(({ point, check }): Anomaly[] => {
    if (!check || Math.abs(check.score) <= threshold) return [];
    const { date, from, to, value } = point;
    return [{ date, from, to, value, direction: check.score > 0 ? 'above' : 'below', ...check }];
  });
  const checkedCount = wanted.filter(({ check }) => check).length;
  return { ...rest, season, threshold, checkedCount, uncheckedCount: wanted.length - checkedCount, items };
}

/** Where values add up, a period without rows is a zero, from the first period with rows on. */
function numbersOf(points: readonly Point[], addsUp: boolean): (number | null)[] {
  const begin = points.findIndex(({ value }) => value !== null);
  return points.map(({ value }, index) => {
    if (value !== null) return Number(value);
    return addsUp && begin >= 0 && index > begin ? 0 : null;
  });
}
