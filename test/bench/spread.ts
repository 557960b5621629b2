/** A quantity that was measured several times. */
export interface Spread {
  median: number;
  min: number;
  max: number;
}

/** Throws for no values: a figure without a measurement is none. */
export function spread(values: readonly number[]): Spread {
  return { median: percentile(values, 50), min: Math.min(...values), max: Math.max(...values) };
}

/** The value that `percent` of the values do not exceed (nearest rank). */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const value = sorted[Math.max(0, Math.ceil((percent / 100) * sorted.length) - 1)];
  if (value === undefined) throw new Error('nothing was measured');
  return value;
}

/** Round by round, since what disturbs a round disturbs both of its sides. */
export function ratios(measured: readonly number[], reference: readonly number[]): Spread {
  return spread(measured.map((value, round) => value / reference[round]!));
}

/** Runs `times` rounds one after the other and answers what each came to. */
export async function rounds<T>(times: number, round: (index: number) => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  for (let index = 0; index < times; index++) results.push(await round(index));
  return results;
}
