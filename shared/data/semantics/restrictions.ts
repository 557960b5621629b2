import type { Hop, JoinGraph } from './join-graph.ts';
import type { SemanticModel } from './model.ts';

/** A hop by which a row needs a partner to be visible, with the hops by which the partner needs partners. */
export interface Need {
  hop: Hop;
  then: readonly Need[];
}

/** Beyond this number, the hops to restricted tables make SQL that databases plan badly. */
const MAX_HOPS = 200;

/**
 * Which partners the rows of a table need, because rows of other tables are hidden: a row is visible only if every
 * chain of active hops to one row, which leads to a restricted table, leads to a visible row. So the orders of a hidden
 * customer are hidden in every question, and so are orders without a customer.
 */
export class Restrictions {
  readonly #graph: JoinGraph;
  readonly #restricted: ReadonlySet<string>;
  /** The restricted tables, and those with chains to them. */
  readonly #limited: ReadonlySet<string>;
  readonly #known = new Map<string, readonly Need[] | undefined>();

  constructor({ tables }: SemanticModel, graph: JoinGraph, restricted: ReadonlySet<string> = new Set()) {
    this.#graph = graph;
    this.#restricted = restricted;
    this.#limited =
      restricted.size > 0
        ? leadingTo(
            restricted,
            tables.map(({ id }) => id),
            graph,
          )
        : restricted;
  }

  /** What rows of the table need. Undefined where the chains are too many to write. */
  needs(tableId: string): readonly Need[] | undefined {
    if (!this.#known.has(tableId)) this.#known.set(tableId, this.#search(tableId));
    return this.#known.get(tableId);
  }

  #search(from: string): readonly Need[] | undefined {
    const onChain = new Set<string>();
    let count = 0;
    const search = (tableId: string): Need[] => {
      if (!this.#limited.has(tableId)) return [];
      onChain.add(tableId);
      const found: Need[] = [];
      for (const hop of this.#graph.hopsToOne(tableId)) {
        if (onChain.has(hop.to.tableId) || ++count > MAX_HOPS) continue;
        const then = search(hop.to.tableId);
        if (then.length > 0 || this.#restricted.has(hop.to.tableId)) found.push({ hop, then });
      }
      onChain.delete(tableId);
      return found;
    };
    const needs = search(from);
    return count > MAX_HOPS ? undefined : needs;
  }
}

/** The tables with those from which hops to one row lead to them. */
function leadingTo(ends: ReadonlySet<string>, tables: readonly string[], graph: JoinGraph): ReadonlySet<string> {
  const before = Map.groupBy(
    tables.flatMap((table) => graph.hopsToOne(table)),
    ({ to }) => to.tableId,
  );
  const found = new Set(ends);
  // Tables that are added while the set is read are read too.
  for (const table of found) for (const { from } of before.get(table) ?? []) found.add(from.tableId);
  return found;
}
