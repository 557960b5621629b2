/** A line through points, and how far from it a further point may be. */
export interface LinearTrend {
  /** How much the line rises from one `x` to the next. */
  slope: number;
  at(x: number): number;
  /** Where a further point lies with the given probability; undefined with fewer points than that needs. */
  bandAt(x: number): { low: number; high: number } | undefined;
}

/** With fewer points, a line says nothing of them. */
const MIN_POINTS = 3;
/** With fewer points, the variance around the line is hardly known. */
export const MIN_FORECAST_POINTS = 8;
/** The normal quantile of 0.9: the band has a further point with a probability of 80 %. */
const Z = 1.2815515655446004;

/**
 * The line of least squares, with the prediction interval of regression, `s · √(1 + 1/n + (x − x̄)² / Σ(xᵢ − x̄)²)`
 * times the quantile of Student's t with n − 2 degrees of freedom.
 *
 * See Hyndman and Athanasopoulos, Forecasting: Principles and Practice, 3rd edition, chapter 7. The interval assumes
 * that the points scatter around the line independently and alike, so it knows no seasons. Undefined for fewer than
 * three points, or points above each other.
 */
export function linearTrend(points: readonly { x: number; y: number }[]): LinearTrend | undefined {
  const count = points.length;
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / count;
  const [meanX, meanY] = [mean(points.map(({ x }) => x)), mean(points.map(({ y }) => y))];
  const spread = points.reduce((sum, { x }) => sum + (x - meanX) ** 2, 0);
  if (count < MIN_POINTS || spread === 0) return undefined;
  const slope = points.reduce((sum, { x, y }) => sum + (x - meanX) * (y - meanY), 0) / spread;
  const at = (x: number) => meanY + slope * (x - meanX);
  const free = count - 2;
  const deviation = Math.sqrt(points.reduce((sum, { x, y }) => sum + (y - at(x)) ** 2, 0) / free);
  return {
    slope,
    at,
    bandAt(x) {
      if (count < MIN_FORECAST_POINTS) return undefined;
      const half = studentQuantile(free) * deviation * Math.sqrt(1 + 1 / count + (x - meanX) ** 2 / spread);
      return { low: at(x) - half, high: at(x) + half };
    },
  };
}

/**
 * The quantile of 0.9 of Student's t, by the expansion around the normal quantile (Abramowitz and Stegun, 26.7.5),
 * which is exact to three digits from six degrees of freedom on.
 */
function studentQuantile(free: number): number {
  const powers = [1, 3, 5, 7].map((power) => Z ** power) as [number, number, number, number];
  const [one, three, five, seven] = powers;
  return (
    one +
    (three + one) / (4 * free) +
    (5 * five + 16 * three + 3 * one) / (96 * free ** 2) +
    (3 * seven + 19 * five + 17 * three - 15 * one) / (384 * free ** 3)
  );
}
