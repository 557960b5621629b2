import type { Table } from '../../../../platform/storage/table.ts';
import type { ModelDefinition } from '../definition/definition.ts';
import { type PlacedPolicy, placedPolicies } from '../protection/protected-chains.ts';
import { listProtections } from '../protection/protections.ts';
import { type DefinitionReader, modelOrNone } from './definitions.ts';

/** The policies of other models on the source of the model, which restrict its rows too. */
export async function policiesElsewhere(
  { table, definitions }: { table: Table; definitions: DefinitionReader },
  { model, relationships }: ModelDefinition,
): Promise<PlacedPolicy[]> {
  // Without relationships, they hide rows of their own tables only, which no edit of this model changes.
  if (relationships.size === 0) return [];
  const { workspaceId, sourceId, id } = model;
  const read = ({ modelId }: { modelId: string }) => modelOrNone(definitions, { workspaceId, modelId });
  const protections = await listProtections(table, workspaceId);
  const others = protections.filter((other) => other.sourceId === sourceId && other.modelId !== id);
  const found = await Promise.all(others.map(read));
  return found.flatMap((definition) => (definition ? placedPolicies(definition) : []));
}
