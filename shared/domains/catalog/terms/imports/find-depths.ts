type Edge = readonly [lower: string, upper: string];

export interface Depths {
  /** Whether both ends are on cycles, or on a path between two of them. */
  isOnCycle(lower: string, upper: string): boolean;
  /** The number of edges of the longest path that contains the edge. Paths into a cycle count up to it. */
  longestThrough(lower: string, upper: string): number;
}

/** Looks at each edge once in both directions: a glossary may have ten thousand terms in one chain. */
export function findDepths(edges: readonly Edge[]): Depths {
  const below = longestPaths(edges);
  const above = longestPaths(edges.map(([lower, upper]) => [upper, lower]));
  return {
    isOnCycle: (lower, upper) => [lower, upper].every((id) => !below.has(id) && !above.has(id)),
    longestThrough: (lower, upper) => (below.get(lower) ?? 0) + 1 + (above.get(upper) ?? 0),
  };
}

/** The longest path that ends at each node; absent for nodes on cycles and behind them. */
function longestPaths(edges: readonly Edge[]): Map<string, number> {
  const next = new Map<string, string[]>();
  const waiting = new Map<string, number>();
  for (const [from, to] of edges) {
    const others = next.get(from);
    if (others) others.push(to);
    else next.set(from, [to]);
    waiting.set(from, waiting.get(from) ?? 0);
    waiting.set(to, (waiting.get(to) ?? 0) + 1);
  }
  const reached = new Map<string, number>();
  const longest = new Map<string, number>();
  const ready = [...waiting].flatMap(([id, count]) => (count === 0 ? [id] : []));
  // The list grows while it is walked.
  for (const id of ready) {
    const steps = reached.get(id) ?? 0;
    longest.set(id, steps);
    for (const to of next.get(id) ?? []) {
      reached.set(to, Math.max(reached.get(to) ?? 0, steps + 1));
      const left = waiting.get(to)! - 1;
      waiting.set(to, left);
      if (left === 0) ready.push(to);
    }
  }
  return longest;
}
