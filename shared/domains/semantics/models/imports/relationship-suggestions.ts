import type { ModelDefinition } from '../definition/definition.ts';
import type { CARDINALITIES, Relationship } from '../definition/records.ts';
import { joinIssues } from '../parts/relationships.ts';
import { namedEnds } from './relationship-candidates.ts';

/** A pair of fields, named as an author would, that could join two tables. */
export interface NamedPair {
  from: { table: string; field: string };
  to: { table: string; field: string };
  cardinality: (typeof CARDINALITIES)[number];
  confidence: number;
  reason: string;
}

export interface SuggestedRelationship
  extends ReturnType<typeof namedEnds>,
    Pick<Relationship, 'joinType' | 'cardinality'> {
  confidence: number;
  reason: string;
}

/** The pairs that exist, can be joined, and are not joined yet; each once, the most likely first. */
export function validSuggestions(definition: ModelDefinition, pairs: readonly NamedPair[]): SuggestedRelationship[] {
  const taken = new Set([...definition.relationships.values()].map(endsOf));
  const found: SuggestedRelationship[] = [];
  for (const pair of [...pairs].sort((a, b) => b.confidence - a.confidence)) {
    const [from, to] = [fieldNamed(definition, pair.from), fieldNamed(definition, pair.to)];
    if (!from || !to) continue;
    const ends = namedEnds(definition, from, to);
    if (taken.has(endsOf(ends)) || joinIssues(definition, ends).length > 0) continue;
    taken.add(endsOf(ends));
    const { cardinality, confidence, reason } = pair;
    found.push({ ...ends, joinType: 'left', cardinality, confidence, reason });
  }
  return found;
}

const endsOf = ({ fromFieldId, toFieldId }: { fromFieldId: string; toFieldId: string }) =>
  [fromFieldId, toFieldId].sort().join();

function fieldNamed({ tables, fields }: ModelDefinition, named: { table: string; field: string }) {
  const table = [...tables.values()].find(({ alias }) => alias === named.table);
  return [...fields.values()].find(({ tableId, name }) => tableId === table?.id && name === named.field);
}
