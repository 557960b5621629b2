import type { Principal } from '../../../platform/auth/principal.ts';
import type { ChartDeps, ChartSpec } from '../charts/index.ts';

interface Field {
  name: string;
  type: string;
}

/** What readers can filter by: the fields of a model, or the columns of a dataset. Undefined for other sources. */
export async function fieldsOf(
  { definitions, datasets }: Pick<ChartDeps, 'definitions' | 'datasets'>,
  { workspaceId }: Principal,
  { kind, id }: ChartSpec['query']['source'],
): Promise<ReadonlyMap<string, Field> | undefined> {
  if (kind === 'model') {
    const { fields } = await definitions.read({ workspaceId, modelId: id });
    return new Map([...fields.values()].map((field) => [field.id, { name: field.name, type: field.dataType }]));
  }
  if (kind !== 'dataset') return undefined;
  const dataset = await datasets.get(workspaceId, id);
  return new Map(dataset?.columns.map(({ name, type }) => [name, { name, type }]));
}

/** The types of the same. */
export async function fieldTypes(
  deps: Pick<ChartDeps, 'definitions' | 'datasets'>,
  principal: Principal,
  source: ChartSpec['query']['source'],
): Promise<ReadonlyMap<string, string> | undefined> {
  const fields = await fieldsOf(deps, principal, source);
  return fields && new Map([...fields].map(([id, { type }]) => [id, type]));
}
