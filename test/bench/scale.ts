/**
 * `BENCH_SCALE=0.1 npm run bench -- queries` measures with a tenth of the rows and runs: to see that a measurement
 * works, not for its figures.
 */
export const SCALE = Number(process.env.BENCH_SCALE ?? 1);
if (!(SCALE > 0 && SCALE <= 1)) throw new Error('BENCH_SCALE is above 0 and at most 1');

/** So many rows, runs or clients at full size; at least `least` on any scale. */
export const scaled = (count: number, least = 1): number => Math.max(least, Math.round(count * SCALE));

/** `10 million`, `100,000`. */
export const counted = (count: number): string =>
  count >= 1_000_000 && count % 100_000 === 0 ? `${count / 1_000_000} million` : count.toLocaleString('en');
