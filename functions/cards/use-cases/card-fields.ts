import type { ChartDeps, ChartSpec } from '../../../shared/domains/charts/index.ts';
import type { Principal } from '../../../shared/platform/auth/principal.ts';

/** The types of what readers can filter by: the fields of a model, or the columns of a dataset. Undefined for other sources. */
export async function fieldTypes(
  { definitions, datasets }: ChartDeps,
  { workspaceId }: Principal,
  { kind, id }: ChartSpec['query']['source'],
): Promise<ReadonlyMap<string, string> | undefined> {
  if (kind === 'model') {
    const { fields } = await definitions.read({ workspaceId, modelId: id });
    return new Map([...fields.values()].map((field) => [field.id, field.dataType]));
  }
  if (kind !== 'dataset') return undefined;
  const dataset = await datasets.get(workspaceId, id);
  return new Map(dataset?.columns.map(({ name, type }) => [name, type]));
}
