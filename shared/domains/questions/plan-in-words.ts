import { readsOf } from '../../data/expressions/index.ts';
import type { Hop } from '../../data/semantics/join-graph.ts';
import type { Leg } from '../../data/semantics/legs.ts';
import type { ModelDefinition } from '../models/index.ts';

const SCOPES = {
  group: () => 'for each group',
  total: () => 'over all rows',
  prior: ({ scope }: Leg) => (scope.kind === 'prior' ? `${scope.count} ${scope.grain} earlier` : ''),
} as const;

/** What each part of the statement computes, in one sentence for each. */
export function planInWords(definition: ModelDefinition, legs: readonly Leg[]): string[] {
  const alias = (tableId: string) => definition.tables.get(tableId)!.alias;
  const field = (fieldId: string) => {
    const { tableId, name } = definition.fields.get(fieldId)!;
    return `${alias(tableId)}.${name}`;
  };
  const join = ({ from, to, joinType, toMany }: Hop) =>
    `${joinType} join of ${alias(to.tableId)} on ${field(from.fieldId)} = ${field(to.fieldId)}${toMany ? ' (each row counted once)' : ''}`;
  const sentences = legs.map((leg) => {
    const names = leg.aggregates.map((aggregate) => {
      const { fields } = readsOf(aggregate);
      return `${aggregate.name}(${fields.length > 0 ? fields.map(field).join(', ') : '*'})`;
    });
    const does = names.length > 0 ? `computes ${names.join(', ')} ${SCOPES[leg.scope.kind](leg)}` : 'lists the groups';
    const joins = leg.hops.map(join);
    return `${alias(leg.home)}: ${does}${joins.length > 0 ? `; ${joins.join('; ')}` : ''}.`;
  });
  return legs.length > 1 ? [...sentences, 'The parts are computed separately and matched by their groups.'] : sentences;
}
