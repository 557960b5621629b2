import type { Hop, JoinGraph, PathProblem } from './join-graph.ts';
import type { Need, Restrictions } from './restrictions.ts';

/** The tables that a SELECT reads. */
export interface JoinedTables {
  /** The table whose rows are aggregated or listed. */
  home: string;
  /** In the order of joining, each from a table that is there already. */
  hops: readonly Hop[];
  /** Whether joining repeats rows of the home table, so that each has to be counted once for each group. */
  repeatsRows: boolean;
  /** Whether joining adds groups without any row of the home table. */
  addsGroups: boolean;
}

export type JoinProblem = PathProblem | { kind: 'tooManyChains'; from: string };

/** Joins the home table with the others; without the problems, if there are any. */
export function joinTables(
  graph: JoinGraph,
  restrictions: Restrictions,
  { home, others, isAdding = true }: { home: string; others: Iterable<string>; isAdding?: boolean },
): { joined: JoinedTables; problems: readonly JoinProblem[] } {
  const problems: JoinProblem[] = [];
  const found = new Map<string, Hop>();
  for (const table of others) {
    const path = graph.path(home, table);
    if ('problem' in path) problems.push(path.problem);
    else for (const hop of path.hops) found.set(hop.to.tableId, hop);
  }
  const hops = [...found.values()].map((hop) =>
    isAdding || hop.joinType !== 'full' ? hop : { ...hop, joinType: 'left' as const },
  );
  const addsGroups = hops.some(({ joinType }) => joinType === 'full');
  const repeatsRows = hops.some(({ toMany }) => toMany);
  for (const table of [home, ...found.keys()])
    if (!restrictions.needs(table)) problems.push({ kind: 'tooManyChains', from: table });
  const joined = { home, hops: addsGroups ? hops : narrowed(home, hops, restrictions), repeatsRows, addsGroups };
  return { joined, problems };
}

/** A partner that a row needs anyway is joined as such, which spares the search for it. */
function narrowed(home: string, hops: readonly Hop[], restrictions: Restrictions): Hop[] {
  const kept = new Set([home]);
  return hops.map((hop) => {
    const isNeeded = hop.joinType === 'inner' || restrictions.needs(hop.from.tableId)?.some(isOver(hop));
    if (!isNeeded || !kept.has(hop.from.tableId)) return hop;
    kept.add(hop.to.tableId);
    return { ...hop, joinType: 'inner' };
  });
}

/** What the conditions on rows of a table have to ensure, besides the joins. */
export function openNeeds(
  { hops, addsGroups }: JoinedTables,
  tableId: string,
  restrictions: Restrictions,
): readonly Need[] {
  const inner = hops.filter(({ joinType }) => joinType === 'inner' && !addsGroups);
  return (restrictions.needs(tableId) ?? []).filter((need) => !inner.some((hop) => isOver(hop)(need)));
}

const isOver =
  (hop: Hop) =>
  ({ hop: { relationshipId, to } }: Need): boolean =>
    relationshipId === hop.relationshipId && to.tableId === hop.to.tableId;
