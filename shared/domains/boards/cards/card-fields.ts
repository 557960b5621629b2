import type { Principal } from '../../../platform/auth/principal.ts';
import { fieldsOfBlend } from '../../semantics/blends/index.ts';
import type { ModelRecord, ParameterChoice } from '../../semantics/models/index.ts';
import { type ChartDeps, type ChartSpec, type SavedField, savedFields } from '../charts/index.ts';

/** For saved queries and models, also whether a filter sets a parameter and whether there are values to choose from. */
export type CardField = Pick<SavedField, 'name' | 'type'> &
  Partial<SavedField> & {
    /** The values that a parameter of a model takes, if it does not take all of its type. */
    choices?: readonly ParameterChoice[];
  };

type Query = ChartSpec['query'];
type Fields = ReadonlyMap<string, CardField>;
type FieldsOfSource = (deps: ChartDeps, asked: { principal: Principal; query: Query }) => Promise<Fields | undefined>;

/**
 * What readers can filter by: fields of a model or of both sides of a blend, columns of a dataset or of the result of a
 * saved query, or parameters of a model or a saved query. Undefined for others.
 */
export const fieldsOf = (deps: ChartDeps, principal: Principal, query: Query): Promise<Fields | undefined> =>
  FIELDS[query.source.kind](deps, { principal, query });

const FIELDS: Readonly<Record<Query['source']['kind'], FieldsOfSource>> = {
  async model({ definitions }, { principal: { workspaceId }, query }) {
    const { model, fields } = await definitions.read({ workspaceId, modelId: query.source.id });
    return new Map([...parametersOf(model), ...named(fields.values())]);
  },
  async dataset({ datasets }, { principal: { workspaceId }, query }) {
    const dataset = await datasets.get(workspaceId, query.source.id);
    return new Map(dataset?.columns.map(({ name, type }) => [name, { name, type }]));
  },
  async blend({ definitions, blends }, { principal: { workspaceId }, query }) {
    const blend = await blends.get(workspaceId, query.source.id);
    return blend && named(await fieldsOfBlend(definitions, blend));
  },
  savedQuery: savedFields,
  metric: async () => undefined,
};

const named = (fields: Iterable<{ id: string; name: string; dataType: string }>): Fields =>
  new Map([...fields].map(({ id, name, dataType }) => [id, { name, type: dataType }]));

const parametersOf = ({ parameters = [] }: ModelRecord): [string, CardField][] =>
  parameters.map(({ name, dataType: type, allowedValues: choices }) => [
    name,
    { name, type, isParameter: true, isColumn: false, ...(choices && { choices }) },
  ]);

/** Some of the values of a parameter, in the order of its author, that contain the text in any case. */
export function pageOfChoices(
  choices: readonly ParameterChoice[],
  { search = '', limit, offset }: { search?: string | undefined; limit: number; offset: number },
): { values: ParameterChoice[]; truncated: boolean } {
  const wanted = search.toLowerCase();
  const found = choices.filter((each) => String(each).toLowerCase().includes(wanted));
  return { values: found.slice(offset, offset + limit), truncated: found.length > offset + limit };
}
