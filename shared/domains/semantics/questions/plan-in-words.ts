import { printTree } from '../../../data/expressions/index.ts';
import type { Hop } from '../../../data/semantics/join-graph.ts';
import type { Leg } from '../../../data/semantics/legs.ts';
import type { ModelDefinition } from '../models/index.ts';
import type { CompiledRollups } from './compile-question.ts';

const SCOPES = {
  group: () => 'for each group',
  total: () => 'over all rows',
  parent: () => 'for each parent',
  prior: ({ scope }: Leg) => (scope.kind === 'prior' ? `${scope.count} ${scope.grain} earlier` : ''),
  cumulative: ({ scope }: Leg) =>
    scope.kind === 'cumulative' && scope.grain ? `in the ${grainInWords(scope.grain)} to date` : 'up to each period',
  trailing: ({ scope }: Leg) => (scope.kind === 'trailing' ? `over the last ${scope.count} × ${scope.grain}` : ''),
} as const;

/** A fiscal grain without its calendar. */
const grainInWords = (unit: string): string => unit.split('@')[0]!.replace('_', ' ');

/** What each part of the statement computes, in one sentence for each. */
export function planInWords(
  definition: ModelDefinition,
  legs: readonly Leg[],
  { used, unused }: Pick<CompiledRollups, 'used' | 'unused'> = { used: new Map(), unused: [] },
): string[] {
  const alias = (tableId: string) => definition.tables.get(tableId)!.alias;
  const field = (fieldId: string) => {
    const { tableId, name } = definition.fields.get(fieldId)!;
    return `${alias(tableId)}.${name}`;
  };
  const join = ({ from, to, joinType, toMany }: Hop) =>
    `${joinType} join of ${alias(to.tableId)} on ${field(from.fieldId)} = ${field(to.fieldId)}${toMany ? ' (each row counted once)' : ''}`;
  const sentences = legs.map((leg) => {
    const measure = (id: string) => `{${definition.measures.get(id)!.name}}`;
    const names = leg.aggregates.map((aggregate) => printTree(aggregate, { field, measure }));
    const does = names.length > 0 ? `computes ${names.join(', ')} ${SCOPES[leg.scope.kind](leg)}` : 'lists the groups';
    const rollup = used.get(leg);
    if (rollup !== undefined) return `${alias(leg.home)}: ${does} from the rollup "${rollup}".`;
    const joins = leg.hops.map(join);
    return `${alias(leg.home)}: ${does}${joins.length > 0 ? `; ${joins.join('; ')}` : ''}.`;
  });
  const matched = legs.length > 1 ? ['The parts are computed separately and matched by their groups.'] : [];
  const others = unused.map(({ name, reason }) => `The rollup "${name}" is not used: ${reason}.`);
  return [...sentences, ...matched, ...others];
}
