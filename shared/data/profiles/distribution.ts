/** How the values of a column spread, as shares that add up to 1. */
export type Distribution =
  /** The share below the first edge, between two, and from the last edge on. */
  | { kind: 'bins'; edges: number[]; shares: number[] }
  /** The share of each value, and of all others. */
  | { kind: 'values'; values: string[]; shares: number[] };

export type DriftLevel = 'none' | 'moderate' | 'major';

/** Shares below it count as this, since the logarithm of an empty one is infinite. */
const MIN_SHARE = 0.0001;

/** The population stability index of shares against earlier ones of the same parts. */
export function stabilityIndex(before: readonly number[], now: readonly number[]): number {
  const parts = before.map((share, index) => {
    const [expected, actual] = [Math.max(share, MIN_SHARE), Math.max(now[index] ?? 0, MIN_SHARE)];
    return (actual - expected) * Math.log(actual / expected);
  });
  return parts.reduce((sum, part) => sum + part, 0);
}

/** The usual reading of the index. */
export const levelOf = (psi: number | null): DriftLevel =>
  psi === null || psi < 0.1 ? 'none' : psi < 0.25 ? 'moderate' : 'major';

/** Shares from the counts of the parts; undefined if there is nothing to share. */
export function sharesOf(counts: readonly number[]): number[] | undefined {
  const total = counts.reduce((sum, count) => sum + count, 0);
  return total > 0 ? counts.map((count) => count / total) : undefined;
}
