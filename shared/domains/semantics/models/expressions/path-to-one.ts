import { type Hop, joinGraph } from '../../../../data/semantics/join-graph.ts';
import type { ModelDefinition } from '../definition/definition.ts';
import { semanticModel } from '../definition/semantic-model.ts';

/** Why a row of one table does not lead to one row of another. */
export type PathToOneProblem =
  | 'none'
  /** Only inactive relationships lead there. */
  | 'inactive'
  /** A row may have several partners there. */
  | 'many'
  | 'ambiguous';

export type PathToOne = { hops: readonly Hop[] } | { problem: PathToOneProblem };

/** With more hops to follow, it is not looked whether there is a second path. */
const MAX_HOPS = 1000;

/**
 * The only way from rows of a table to at most one row of another each, along active relationships. Where there are
 * several, also of different lengths, it is not clear which one decides who sees a row.
 */
export function pathToOne(definition: ModelDefinition, from: string, to: string): PathToOne {
  const graph = joinGraph(semanticModel(definition));
  if (!graph.toOne(from).has(to)) return { problem: problemOf(definition, from, to) };
  const found: Hop[][] = [];
  const onPath = new Set([from]);
  let count = 0;
  const search = (tableId: string, path: readonly Hop[]): void => {
    if (tableId === to) {
      found.push([...path]);
      return;
    }
    for (const hop of graph.hopsToOne(tableId)) {
      const next = hop.to.tableId;
      if (found.length > 1 || count > MAX_HOPS || onPath.has(next)) continue;
      count += 1;
      onPath.add(next);
      search(next, [...path, hop]);
      onPath.delete(next);
    }
  };
  search(from, []);
  const [only, ...others] = found;
  return only && others.length === 0 && count <= MAX_HOPS ? { hops: only } : { problem: 'ambiguous' };
}

function problemOf(definition: ModelDefinition, from: string, to: string): PathToOneProblem {
  const path = joinGraph(semanticModel(definition)).path(from, to);
  if (!('problem' in path) || path.problem.kind === 'ambiguous') return 'many';
  return path.problem.inactive.length > 0 ? 'inactive' : 'none';
}
