import { DATASETS, isSamePlace, listProtections, modelOrNone } from '../models/index.ts';
import { partnerTables } from './partners.ts';
import type { ProtectionDeps } from './table-rights.ts';

/** Whether policies find a dataset by its name, to decide who sees rows of others. */
export async function isReadByPolicies(
  { table, definitions }: ProtectionDeps,
  { workspaceId, name }: { workspaceId: string; name: string },
): Promise<boolean> {
  const read = ({ modelId }: { modelId: string }) => modelOrNone(definitions, { workspaceId, modelId });
  const protections = await listProtections(table, workspaceId, read);
  const models = await Promise.all(protections.filter(({ sourceId }) => sourceId === DATASETS).map(read));
  return models.some((definition) =>
    [...(definition?.policies.values() ?? [])].some((policy) =>
      partnerTables(definition!, policy).some((partner) => isSamePlace(asPlace(partner), asPlace(name))),
    ),
  );
}

const asPlace = (table: string) => ({ schema: '', table });
