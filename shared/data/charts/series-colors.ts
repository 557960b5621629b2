/** More colors than these cannot be told apart, and the others share one. */
export const MAX_SERIES = 12;

export interface SharedColors {
  /** The names with a color of their own, in their order, and the name of the others. */
  shown: readonly string[];
  others: ReadonlySet<string>;
  name: string;
}

/**
 * Of many names, those with the largest sums keep a color of their own, and the others share a gray one. Undefined if
 * there are colors for all.
 */
export function sharedColors(sums: ReadonlyMap<string, number>): SharedColors | undefined {
  if (sums.size <= MAX_SERIES) return undefined;
  const largest = [...sums].sort(([, one], [, other]) => other - one).slice(0, MAX_SERIES - 1);
  const kept = new Set(largest.map(([name]) => name));
  const shown = [...sums.keys()].filter((name) => kept.has(name));
  const others = new Set([...sums.keys()].filter((name) => !kept.has(name)));
  return { shown, others, name: `Other (${others.size})` };
}
