import { DATASETS, folded, isSamePlace, listProtections, type ModelDefinition, modelOrNone } from '../models/index.ts';
import { partnerTables } from './partners.ts';
import type { ProtectionDeps } from './table-rights.ts';

/** Whether policies find a dataset by its name, to decide who sees rows of others. */
export const isReadByPolicies = async (
  deps: ProtectionDeps,
  { workspaceId, name }: { workspaceId: string; name: string },
): Promise<boolean> => (await decidedBy(deps, workspaceId, [name])).length > 0;

/** The names of all datasets by whose rows policies show those of others, folded as datasets are found. */
export async function decidingDatasets(deps: ProtectionDeps, workspaceId: string): Promise<ReadonlySet<string>> {
  const models = await protectingModels(deps, workspaceId);
  const names = models.flatMap((definition) =>
    [...definition.policies.values()].flatMap((policy) => partnerTables(definition, policy)),
  );
  return new Set(names.map(folded));
}

/** The datasets of which policies show rows by those of the named datasets. */
export async function decidedBy(
  deps: ProtectionDeps,
  workspaceId: string,
  names: readonly string[],
): Promise<string[]> {
  const models = await protectingModels(deps, workspaceId);
  return [...new Set(models.flatMap((definition) => decidedIn(definition, names)))];
}

/** The models that protect datasets. */
async function protectingModels(
  { table, definitions }: ProtectionDeps,
  workspaceId: string,
): Promise<ModelDefinition[]> {
  const read = ({ modelId }: { modelId: string }) => modelOrNone(definitions, { workspaceId, modelId });
  const protections = await listProtections(table, workspaceId);
  const models = await Promise.all(protections.filter(({ sourceId }) => sourceId === DATASETS).map(read));
  return models.filter((definition) => definition !== undefined);
}

function decidedIn(definition: ModelDefinition, names: readonly string[]): string[] {
  const isNamed = (table: string) => names.some((name) => isSamePlace(asPlace(table), asPlace(name)));
  return [...definition.policies.values()].flatMap((policy) => {
    const table = definition.tables.get(policy.tableId);
    return table && partnerTables(definition, policy).some(isNamed) ? [table.sourceTable] : [];
  });
}

const asPlace = (table: string) => ({ schema: '', table });
