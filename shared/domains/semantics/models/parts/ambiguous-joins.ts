import { joinGraph } from '../../../../data/semantics/join-graph.ts';
import type { ModelDefinition } from '../definition/definition.ts';
import { fieldName } from '../definition/field-name.ts';
import { semanticModel } from '../definition/semantic-model.ts';

/** Two tables that a question cannot combine, with the equally good ways between them, two at most. */
export interface AmbiguousJoin {
  from: string;
  to: string;
  paths: string[][];
}

const MAX_LISTED = 100;

/** The pairs of tables between which questions cannot tell which relationships are meant; at most 100. */
export function ambiguousJoins(definition: ModelDefinition): AmbiguousJoin[] {
  const graph = joinGraph(semanticModel(definition));
  const tables = [...definition.tables.values()].sort((a, b) => (a.alias < b.alias ? -1 : 1));
  const found: AmbiguousJoin[] = [];
  for (const [index, one] of tables.entries()) {
    for (const other of tables.slice(index + 1)) {
      const ends = [
        [one, other],
        [other, one],
      ] as const;
      for (const [from, to] of ends) {
        const path = graph.path(from.id, to.id);
        if (!('problem' in path) || path.problem.kind !== 'ambiguous') continue;
        const paths = path.problem.paths.map((hops) =>
          hops.map((hop) => `${fieldName(definition, hop.from.fieldId)} = ${fieldName(definition, hop.to.fieldId)}`),
        );
        found.push({ from: from.alias, to: to.alias, paths });
        if (found.length === MAX_LISTED) return found;
        break;
      }
    }
  }
  return found;
}
