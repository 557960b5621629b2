export const SEASONS = ['day_of_week', 'none'] as const;
export type Season = (typeof SEASONS)[number];

/** Fewer earlier points are no baseline. */
export const MIN_BASELINE = 7;
/** More are not needed, and would include what has long changed. */
export const MAX_BASELINE = 60;
export const DEFAULT_THRESHOLD = 3.5;

/** Scores beyond it are all the same, and infinite where a baseline is constant. */
const MAX_SCORE = 100;
/** The median of absolute deviations of a normal distribution, in standard deviations. */
const MAD_OF_NORMAL = 0.6745;
/** A baseline that hardly moves would make every small change unusual. */
const MIN_SPREAD = 0.01;

/** Points after which a season repeats: days are compared with the same day of earlier weeks. */
export const seasonLength = (season: Season): number => (season === 'day_of_week' ? 7 : 1);

export interface Check {
  expected: number;
  expectedLow: number;
  expectedHigh: number;
  /** The distance from what is expected, in robust standard deviations; negative below it. */
  score: number;
}

/** Compares a value with a baseline by median and median absolute deviation, which single outliers do not move. */
export function checkValue(
  baseline: readonly number[],
  value: number,
  threshold: number,
  minPoints = MIN_BASELINE,
): Check | undefined {
  if (baseline.length < minPoints) return undefined;
  const expected = medianOf(baseline);
  const deviation = medianOf(baseline.map((each) => Math.abs(each - expected))) / MAD_OF_NORMAL;
  const spread = Math.max(deviation, Math.abs(expected) * MIN_SPREAD);
  const distance = value - expected;
  const score = distance === 0 ? 0 : spread === 0 ? Math.sign(distance) * MAX_SCORE : distance / spread;
  return {
    expected,
    expectedLow: expected - threshold * spread,
    expectedHigh: expected + threshold * spread,
    score: Math.max(-MAX_SCORE, Math.min(MAX_SCORE, score)),
  };
}

function medianOf(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** The checks of consecutive points, each by the earlier ones of its season; undefined where these are too few. */
export function checkPoints(
  values: readonly (number | null)[],
  { season, threshold }: { season: Season; threshold: number },
): (Check | undefined)[] {
  const length = seasonLength(season);
  const baselines = Array.from({ length }, () => new Baseline());
  return values.map((value, index) => {
    if (value === null) return undefined;
    const baseline = baselines[index % length]!;
    const check = checkValue(baseline.values, value, threshold);
    baseline.add(value, check && Math.abs(check.score) > threshold ? Math.sign(check.score) : 0);
    return check;
  });
}

/**
 * The usual values of a season. Unusual ones are left out, so that an incident does not hide the next one. When enough
 * of them follow each other on the same side, they are the new normal.
 */
export class Baseline {
  #usual: number[] = [];
  #unusual: number[] = [];
  #side = 0;

  get values(): readonly number[] {
    return this.#usual.slice(-MAX_BASELINE);
  }

  /** `side` is 1 for an unusually high value, -1 for a low one, 0 for a usual one. */
  add(value: number, side: number): void {
    if (side === 0) {
      this.#usual.push(value);
      this.#unusual = [];
      return;
    }
    if (side !== this.#side) this.#unusual = [];
    this.#side = side;
    this.#unusual.push(value);
    if (this.#unusual.length < MIN_BASELINE) return;
    this.#usual = this.#unusual;
    this.#unusual = [];
  }
}
