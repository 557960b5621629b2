import { DATASETS, isSamePlace, listProtections, type ModelDefinition, modelOrNone } from '../models/index.ts';
import { partnerTables } from './partners.ts';
import type { ProtectionDeps } from './table-rights.ts';

/** Whether policies find a dataset by its name, to decide who sees rows of others. */
export const isReadByPolicies = async (
  deps: ProtectionDeps,
  { workspaceId, name }: { workspaceId: string; name: string },
): Promise<boolean> => (await decidedBy(deps, workspaceId, [name])).length > 0;

/** The datasets of which policies show rows by those of the named datasets. */
export async function decidedBy(
  { table, definitions }: ProtectionDeps,
  workspaceId: string,
  names: readonly string[],
): Promise<string[]> {
  const read = ({ modelId }: { modelId: string }) => modelOrNone(definitions, { workspaceId, modelId });
  const protections = await listProtections(table, workspaceId);
  const models = await Promise.all(protections.filter(({ sourceId }) => sourceId === DATASETS).map(read));
  return [...new Set(models.flatMap((definition) => (definition ? decidedIn(definition, names) : [])))];
}

function decidedIn(definition: ModelDefinition, names: readonly string[]): string[] {
  const isNamed = (table: string) => names.some((name) => isSamePlace(asPlace(table), asPlace(name)));
  return [...definition.policies.values()].flatMap((policy) => {
    const table = definition.tables.get(policy.tableId);
    return table && partnerTables(definition, policy).some(isNamed) ? [table.sourceTable] : [];
  });
}

const asPlace = (table: string) => ({ schema: '', table });
