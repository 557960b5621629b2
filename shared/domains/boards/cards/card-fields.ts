import type { Principal } from '../../../platform/auth/principal.ts';
import { fieldsOfBlend } from '../../semantics/blends/index.ts';
import type { ChartDeps, ChartSpec } from '../charts/index.ts';

interface Field {
  name: string;
  type: string;
}

type FieldDeps = Pick<ChartDeps, 'definitions' | 'datasets' | 'blends'>;
type Fields = ReadonlyMap<string, Field>;
type FieldsOfSource = (deps: FieldDeps, workspaceId: string, id: string) => Promise<Fields | undefined>;

/** What readers can filter by: fields of a model or of both sides of a blend, or columns. Undefined for others. */
export const fieldsOf = (
  deps: FieldDeps,
  { workspaceId }: Principal,
  { kind, id }: ChartSpec['query']['source'],
): Promise<Fields | undefined> => FIELDS[kind](deps, workspaceId, id);

const FIELDS: Readonly<Record<ChartSpec['query']['source']['kind'], FieldsOfSource>> = {
  async model({ definitions }, workspaceId, modelId) {
    const { fields } = await definitions.read({ workspaceId, modelId });
    return named(fields.values());
  },
  async dataset({ datasets }, workspaceId, id) {
    const dataset = await datasets.get(workspaceId, id);
    return new Map(dataset?.columns.map(({ name, type }) => [name, { name, type }]));
  },
  async blend({ definitions, blends }, workspaceId, id) {
    const blend = await blends.get(workspaceId, id);
    return blend && named(await fieldsOfBlend(definitions, blend));
  },
  savedQuery: async () => undefined,
  metric: async () => undefined,
};

const named = (fields: Iterable<{ id: string; name: string; dataType: string }>): Fields =>
  new Map([...fields].map(({ id, name, dataType }) => [id, { name, type: dataType }]));

/** The types of the same. */
export async function fieldTypes(
  deps: FieldDeps,
  principal: Principal,
  source: ChartSpec['query']['source'],
): Promise<ReadonlyMap<string, string> | undefined> {
  const fields = await fieldsOf(deps, principal, source);
  return fields && new Map([...fields].map(([id, { type }]) => [id, type]));
}
