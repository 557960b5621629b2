import type { TableProfile } from '../../../data/profiles/profile.ts';
import { checkDays, type DailyCheck, type DailyPoint, volumeOf } from '../../../data/statistics/daily-series.ts';
import { DEFAULT_THRESHOLD } from '../../../data/statistics/robust-baseline.ts';

/** A year, so that weeks and months repeat. */
const MAX_DAYS = 400;
const MAX_COLUMNS = 200;
/** A smaller change of the share of nulls is never unusual, however steady it was. */
const MIN_NULL_CHANGE = 1;

/** What the last scan of a day found. */
export interface HistoryDay {
  date: string;
  rowCount: number;
  /** By the name of the column: the percent of nulls and the mean. */
  columns: Record<string, [nullPct: number, mean: number | null]>;
}

export const ANOMALY_KINDS = ['volume', 'null_share', 'mean'] as const;

export interface Anomaly {
  kind: (typeof ANOMALY_KINDS)[number];
  columnName: string | null;
  season: DailyCheck['season'];
  /** Rows, percent of nulls, or the mean. */
  observed: number;
  expected: number;
  expectedLow: number;
  expectedHigh: number;
  score: number;
}

export interface ScanChecks {
  /** The days that the newest scan could be compared with. */
  days: number;
  anomalies: Anomaly[];
  /** The columns whose shares and means are usual, or cannot be checked yet. */
  usualColumns: string[];
}

/** The history with the scan as the last day. */
export function withScan(history: readonly HistoryDay[], profile: TableProfile, at: string): HistoryDay[] {
  const date = at.slice(0, 10);
  const columns = profile.columns.slice(0, MAX_COLUMNS);
  const day: HistoryDay = {
    date,
    rowCount: profile.rowCount,
    columns: Object.fromEntries(columns.map(({ name, nullPct, mean }) => [name, [nullPct, mean]])),
  };
  return [...history.filter((each) => each.date < date), day].slice(-MAX_DAYS);
}

/** What is unusual about the last day. */
export function checkLastDay(history: readonly HistoryDay[]): ScanChecks {
  const last = history.at(-1);
  if (!last) return { days: 0, anomalies: [], usualColumns: [] };
  const volume = volumeOf(history.map(({ date, rowCount: value }) => ({ date, value })));
  const ofColumns = Object.keys(last.columns).map((name) => ({ name, anomalies: columnAnomalies(history, name) }));
  return {
    days: history.length - 1,
    anomalies: [
      ...anomaly(volume.points, { kind: 'volume', columnName: null }),
      ...ofColumns.flatMap(({ anomalies }) => anomalies),
    ],
    usualColumns: ofColumns.flatMap(({ name, anomalies }) => (anomalies.length === 0 ? [name] : [])),
  };
}

function columnAnomalies(history: readonly HistoryDay[], columnName: string): Anomaly[] {
  const series = (index: 0 | 1): DailyPoint[] =>
    history.flatMap(({ date, columns }) => {
      const value = Object.hasOwn(columns, columnName) ? columns[columnName]![index] : null;
      return value === null ? [] : [{ date, value }];
    });
  const isLarge = ({ observed, expected }: Anomaly) => Math.abs(observed - expected) >= MIN_NULL_CHANGE;
  const hasMean = history.at(-1)!.columns[columnName]![1] !== null;
  return [
    ...anomaly(series(0), { kind: 'null_share', columnName }).filter(isLarge),
    ...(hasMean ? anomaly(series(1), { kind: 'mean', columnName }) : []),
  ];
}

function anomaly(points: readonly DailyPoint[], subject: Pick<Anomaly, 'kind' | 'columnName'>): Anomaly[] {
  const check = checkDays(points, DEFAULT_THRESHOLD).at(-1);
  if (!check?.isUnusual) return [];
  const { season, expected, expectedLow, expectedHigh, score } = check;
  return [{ ...subject, season, observed: points.at(-1)!.value, expected, expectedLow, expectedHigh, score }];
}
