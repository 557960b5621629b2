import type { FieldOfTable, JoinType, Relationship, SemanticModel } from './model.ts';

/** A step from one table to a related one. */
export interface Hop {
  relationshipId: string;
  from: FieldOfTable;
  to: FieldOfTable;
  joinType: HopJoin;
  /** Whether a row may have several partners in the table that the hop leads to. */
  toMany: boolean;
}

/** As in SQL, with the table that the hop comes from on the left. */
export type HopJoin = 'inner' | 'left' | 'full';

/** Why there is no path to use: none at all, or several that are as good as each other. */
export type PathProblem =
  | { kind: 'none'; from: string; to: string; inactive: readonly string[] }
  | { kind: 'ambiguous'; from: string; to: string; paths: readonly (readonly Hop[])[] };

export type PathResult = { hops: readonly Hop[] } | { problem: PathProblem };

export interface JoinGraph {
  /**
   * The path between two tables over active relationships: the one with the fewest hops to many rows, then the fewest
   * hops. Where two are equal in both, a question cannot tell which one is meant.
   */
  path(from: string, to: string): PathResult;
  /** The tables that each row of the table has at most one partner in, and the table itself. */
  toOne(from: string): ReadonlySet<string>;
  /** The hops from the table by which each of its rows has at most one partner. */
  hopsToOne(from: string): readonly Hop[];
}

const GRAPHS = new WeakMap<SemanticModel, JoinGraph>();

/** Made once for each model; it keeps the paths that it has found. */
export function joinGraph(model: SemanticModel): JoinGraph {
  const known = GRAPHS.get(model) ?? makeGraph(model);
  GRAPHS.set(model, known);
  return known;
}

function makeGraph({ relationships }: SemanticModel): JoinGraph {
  const hops = hopsByTable(relationships.filter(({ isActive }) => isActive));
  const all = hopsByTable(relationships);
  const known = new Map<string, Map<string, Reached>>();
  const toOne = new Map<string, ReadonlySet<string>>();
  const reach = (from: string) => {
    const reached = known.get(from) ?? search(hops, from);
    known.set(from, reached);
    return reached;
  };

  return {
    path(from, to) {
      const reached = reach(from).get(to);
      if (!reached) return { problem: { kind: 'none', from, to, inactive: inactiveOn(search(all, from).get(to)) } };
      if (reached.paths.length > 1) return { problem: { kind: 'ambiguous', from, to, paths: reached.paths } };
      return { hops: reached.paths[0]! };
    },

    toOne(from) {
      const tables =
        toOne.get(from) ?? new Set([...reach(from)].filter(([, { many }]) => many === 0).map(([table]) => table));
      toOne.set(from, tables);
      return tables;
    },

    hopsToOne: (from) => (hops.get(from) ?? []).filter(({ toMany }) => !toMany),
  };

  function inactiveOn(reached: Reached | undefined): string[] {
    const inactive = new Set(relationships.filter(({ isActive }) => !isActive).map(({ id }) => id));
    const used = (reached?.paths ?? []).flat().map(({ relationshipId }) => relationshipId);
    return [...new Set(used)].filter((id) => inactive.has(id));
  }
}

interface Reached {
  /** Hops to many rows on the way. */
  many: number;
  length: number;
  /** The best paths, two at most: more would not change the answer. */
  paths: Hop[][];
}

/** Dijkstra's algorithm over the pair (hops to many, hops), which also counts the paths that are equally good. */
function search(hops: ReadonlyMap<string, readonly Hop[]>, from: string): Map<string, Reached> {
  const reached = new Map<string, Reached>([[from, { many: 0, length: 0, paths: [[]] }]]);
  const open = new Map([[0, new Set([from])]]);
  const settled = new Set<string>();
  while (open.size > 0) {
    const cost = Math.min(...open.keys());
    const nearest = [...open.get(cost)!].filter((table) => !settled.has(table));
    open.delete(cost);
    for (const table of nearest) settled.add(table);
    for (const hop of nearest.flatMap((table) => hops.get(table) ?? [])) {
      const next = hop.to.tableId;
      if (settled.has(next)) continue;
      const here = reached.get(hop.from.tableId)!;
      const paths = here.paths.map((path) => [...path, hop]);
      const found = { many: here.many + (hop.toMany ? 1 : 0), length: here.length + 1, paths };
      reached.set(next, better(reached.get(next), found));
      open.set(costOf(found), (open.get(costOf(found)) ?? new Set()).add(next));
    }
  }
  return reached;
}

/** One hop to many rows outweighs any number of others. */
const costOf = ({ many, length }: Reached) => many * 1_000_000 + length;

const compare = (a: Reached, b: Reached) => costOf(a) - costOf(b);

function better(known: Reached | undefined, found: Reached): Reached {
  if (!known) return found;
  const order = compare(found, known);
  if (order !== 0) return order < 0 ? found : known;
  return { ...known, paths: [...known.paths, ...found.paths].slice(0, 2) };
}

/**
 * The rows that a relationship keeps, seen from the table whose rows are aggregated or listed. Such rows are never lost
 * by a join, so that a total does not change when a dimension is added: a row without a partner stays, with nulls for
 * the other table. Only `inner` drops it. Rows of the other table without a partner form groups only where the author
 * asks for them: `full` keeps those of either table, `right` those of the `to` table. On a chain of hops each
 * relationship keeps its own rule: `inner` anywhere on the chain needs a partner, and a row that another table adds is
 * joined only to what lies beyond that table.
 */
const JOINS: Record<JoinType, Record<'forwards' | 'backwards', HopJoin>> = {
  inner: { forwards: 'inner', backwards: 'inner' },
  left: { forwards: 'left', backwards: 'left' },
  right: { forwards: 'full', backwards: 'left' },
  full: { forwards: 'full', backwards: 'full' },
};

function hopsByTable(relationships: readonly Relationship[]): Map<string, Hop[]> {
  const hops = new Map<string, Hop[]>();
  const add = (hop: Hop) => {
    const known = hops.get(hop.from.tableId);
    if (known) known.push(hop);
    else hops.set(hop.from.tableId, [hop]);
  };
  for (const { id, from, to, joinType, cardinality } of relationships) {
    const { forwards, backwards } = JOINS[joinType];
    add({ relationshipId: id, from, to, joinType: forwards, toMany: cardinality !== '1:1' });
    add({ relationshipId: id, from: to, to: from, joinType: backwards, toMany: cardinality === 'N:M' });
  }
  return hops;
}
