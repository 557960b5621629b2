import { Baseline, type Check, checkValue, MAX_BASELINE, MIN_BASELINE } from './robust-baseline.ts';

export interface DailyPoint {
  /** `YYYY-MM-DD`; the days ascend, and some may be missing. */
  date: string;
  value: number;
}

export interface DailyCheck extends Check {
  /** What the day was compared with. */
  season: 'day_of_week' | 'day_of_month' | 'none';
  isUnusual: boolean;
}

/** Weeks, or days, that a day is compared with. More would lag behind a table that grows. */
const RECENT = 14;
/** So many earlier days of a season suffice to excuse a day, though not to accuse it. */
const MIN_EXCUSES = 2;
/** Few days show no spread, so that a value counts as the same within this share. */
const NEAR = 0.15;
/** A series is cumulative if so many of its steps do not fall. */
const CUMULATIVE_SHARE = 0.9;

/**
 * Checks each day by the earlier ones: by those of the same day of the week once there are seven, and until then by
 * all. A day that looks unusual is excused if the same days before stood out in the same way, as at the end of a month.
 * Days that are unusual are left out of what later ones are compared with.
 */
export function checkDays(points: readonly DailyPoint[], threshold: number): (DailyCheck | undefined)[] {
  const calendar = new Calendar(threshold);
  return points.map((point) => calendar.check(point));
}

/** What earlier days were like. */
class Calendar {
  readonly #threshold: number;
  readonly #all = new Baseline();
  readonly #weekdays = Array.from({ length: 7 }, () => ({ baseline: new Baseline(), values: [] as number[] }));
  /** For each day of a month, its values as parts of what was expected. */
  readonly #months = new Map<string, number[]>();

  /** The values of usual days as parts of what was expected. */
  readonly #parts: number[] = [];

  constructor(threshold: number) {
    this.#threshold = threshold;
  }

  /** Checks a day, and learns from it. */
  check({ date, value }: DailyPoint): DailyCheck | undefined {
    const weekday = this.#weekdays[new Date(`${date}T00:00:00Z`).getUTCDay()]!;
    const months = daysOfMonth(date).map((day) => this.#sameDays(day));
    const weekly = this.#compare('day_of_week', weekday.baseline, value);
    const check = weekly ?? this.#compare('none', this.#all, value);
    const part = check && check.expected !== 0 ? value / check.expected : undefined;
    const isMonthly = check?.isUnusual && part !== undefined && months.some((parts) => isLike(parts, part));
    const isWeekly = check?.isUnusual && !weekly && isLike(weekday.values, value);
    // A busy day of the month says nothing about the usual ones.
    if (!isMonthly) weekday.baseline.add(value, sideOf(weekly));
    if (!isMonthly && !isWeekly) this.#all.add(value, sideOf(check));
    weekday.values.push(value);
    if (part !== undefined && !check?.isUnusual) this.#parts.push(part);
    if (part !== undefined) for (const parts of months) parts.push(part);
    if (isMonthly) return { ...check!, season: 'day_of_month', isUnusual: false };
    return isWeekly ? { ...check!, season: 'day_of_week', isUnusual: false } : check;
  }

  #compare(season: DailyCheck['season'], baseline: Baseline, value: number): DailyCheck | undefined {
    const check = checkValue(baseline.values.slice(-RECENT), value, this.#threshold);
    const wide = check && this.#withUsualSpread(check, value);
    return wide && { ...wide, season, isUnusual: Math.abs(wide.score) > this.#threshold };
  }

  /**
   * A few same days may happen to be alike, so that no day counts as steadier than all days are around what was
   * expected.
   */
  #withUsualSpread(check: Check, value: number): Check {
    const { expected } = check;
    const parts = checkValue(this.#parts.slice(-MAX_BASELINE), expected === 0 ? 1 : value / expected, this.#threshold);
    if (!parts || expected === 0) return check;
    const reach = Math.max(check.expectedHigh - expected, (parts.expectedHigh - parts.expected) * Math.abs(expected));
    const score = reach === 0 ? check.score : ((value - expected) * this.#threshold) / reach;
    const isSteadier = Math.abs(score) >= Math.abs(check.score);
    return isSteadier ? check : { expected, expectedLow: expected - reach, expectedHigh: expected + reach, score };
  }

  #sameDays(day: string): number[] {
    const found = this.#months.get(day) ?? [];
    this.#months.set(day, found);
    return found;
  }
}

const sideOf = (check: DailyCheck | undefined): number => (check?.isUnusual ? Math.sign(check.score) : 0);

function isLike(earlier: readonly number[], value: number): boolean {
  const check = checkValue(earlier.slice(-RECENT), value, 0, MIN_EXCUSES);
  return check !== undefined && Math.abs(value - check.expected) <= Math.abs(check.expected) * NEAR;
}

/** The day of the month, and its distance from the end if it is one of the last three. */
function daysOfMonth(date: string): string[] {
  const [year, month, day] = date.split('-').map(Number) as [number, number, number];
  const left = new Date(Date.UTC(year, month, 0)).getUTCDate() - day;
  return [`day ${day}`, ...(left < 3 ? [`${left} before the end`] : [])];
}

/** The rows that each day has added, for a series that only grows; the series itself otherwise. */
export function volumeOf(points: readonly DailyPoint[]): { points: DailyPoint[]; isCumulative: boolean } {
  const steps = points.slice(1).map(({ date, value }, index) => ({ date, value: value - points[index]!.value }));
  const rising = steps.filter(({ value }) => value >= 0).length;
  const grows = steps.some(({ value }) => value > 0);
  const isCumulative = grows && steps.length >= MIN_BASELINE && rising >= CUMULATIVE_SHARE * steps.length;
  return isCumulative ? { points: steps, isCumulative } : { points: [...points], isCumulative };
}
