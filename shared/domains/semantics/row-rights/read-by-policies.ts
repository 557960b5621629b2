import {
  DATASETS,
  folded,
  isSamePlace,
  listProtections,
  type ModelDefinition,
  modelOrNone,
  placeOfTable,
  type SourcePlace,
} from '../models/index.ts';
import { partnerPlaces, partnerTables } from './partners.ts';
import type { ProtectionDeps } from './table-rights.ts';

/** Whether policies find a dataset by its name, to decide who sees rows of others. */
export const isReadByPolicies = async (
  deps: ProtectionDeps,
  { workspaceId, name }: { workspaceId: string; name: string },
): Promise<boolean> => (await decidedBy(deps, workspaceId, [name])).length > 0;

/** The names of all datasets by whose rows policies show those of others, folded as datasets are found. */
export async function decidingDatasets(deps: ProtectionDeps, workspaceId: string): Promise<ReadonlySet<string>> {
  const models = await protectingModels(deps, workspaceId, isOfDatasets);
  const names = models.flatMap(({ definition }) =>
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
  if (names.length === 0) return [];
  const models = await protectingModels(deps, workspaceId, isOfDatasets);
  return [...new Set(models.flatMap(({ definition }) => decidedIn(definition, names)))];
}

/** A table of a database of which policies show rows by those of another one. */
export interface DecidedTable {
  sourceId: string;
  place: SourcePlace;
  by: SourcePlace;
}

/** The tables of databases that policies show by the rows of others. */
export async function decidedTables(deps: ProtectionDeps, workspaceId: string): Promise<DecidedTable[]> {
  const models = await protectingModels(deps, workspaceId, (sourceId) => !isOfDatasets(sourceId));
  return models.flatMap(({ sourceId, definition }) =>
    [...definition.policies.values()].flatMap((policy) => {
      const table = definition.tables.get(policy.tableId);
      const place = table && placeOfTable(table);
      return place ? partnerPlaces(definition, policy).map((by) => ({ sourceId, place, by })) : [];
    }),
  );
}

const isOfDatasets = (sourceId: string): boolean => sourceId === DATASETS;

/** The models that protect tables of the sources. */
async function protectingModels(
  { table, definitions }: ProtectionDeps,
  workspaceId: string,
  isMeant: (sourceId: string) => boolean,
): Promise<{ sourceId: string; definition: ModelDefinition }[]> {
  const protections = (await listProtections(table, workspaceId)).filter(({ sourceId }) => isMeant(sourceId));
  const models = await Promise.all(
    protections.map(async ({ modelId, sourceId }) => {
      const definition = await modelOrNone(definitions, { workspaceId, modelId });
      return definition ? [{ sourceId, definition }] : [];
    }),
  );
  return models.flat();
}

function decidedIn(definition: ModelDefinition, names: readonly string[]): string[] {
  const isNamed = (table: string) => names.some((name) => isSamePlace(asPlace(table), asPlace(name)));
  return [...definition.policies.values()].flatMap((policy) => {
    const table = definition.tables.get(policy.tableId);
    return table && partnerTables(definition, policy).some(isNamed) ? [table.sourceTable] : [];
  });
}

const asPlace = (table: string) => ({ schema: '', table });
