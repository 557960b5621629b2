import { api } from '../../../data/client.ts';
import { useQuery } from '../../../data/query.ts';
import { type DraftDag, type DraftStep, stepOf } from './draft.ts';

export interface KnownColumn {
  name: string;
  type: string;
}

type Known = readonly KnownColumn[];

const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

/** The columns of what a step reads: of its source or dataset, or of the step before it, as far as they are known. */
export function useInputColumns(pipelineId: string | undefined, dag: DraftDag, step: DraftStep): Known {
  const isExtract = step.type === 'extract';
  const before = isExtract ? undefined : inputOf(dag, step);
  const read = useObjectColumns(isExtract ? step : before?.type === 'extract' ? before : undefined);
  const ofRun = useQuery(['pipelines', pipelineId, 'lineage', 'draft'], () => api.pipelines.getLineage(pipelineId!), {
    enabled: pipelineId !== undefined && before !== undefined,
  }).data;
  if (isExtract || (before?.type === 'extract' && read.length > 0)) return read;
  if (!before) return [];
  const schema = before.config.outputSchema;
  if (Array.isArray(schema)) return schema as Known;
  const node = ofRun?.nodes.find(({ kind, name }) => kind === 'step' && name === before.id);
  return node?.columns ?? [];
}

/** The step whose rows come first: the named one, or the first that has any. */
function inputOf(dag: DraftDag, { config, dependsOn = [] }: DraftStep): DraftStep | undefined {
  const named = text(config.input) ?? text(Object.values((config.inputs as object | undefined) ?? {})[0]);
  const rows = dependsOn.map((id) => stepOf(dag, id)).filter((step) => step !== undefined && step.type !== 'load');
  const found = named === undefined ? rows[0] : stepOf(dag, named);
  // A route passes its rows on as they are.
  return found?.type === 'route' ? (inputOf(dag, found) ?? found) : found;
}

/** The columns of a table of a source, or of a dataset. */
function useObjectColumns(step: DraftStep | undefined): Known {
  const { table, schema, dataset } = (step?.config.object ?? {}) as Record<string, unknown>;
  const [sourceId, tableName, datasetName] = [text(step?.config.sourceId), text(table), text(dataset)];
  const ofTable = useQuery(
    ['columns', sourceId, schema, tableName],
    async () =>
      (
        await api.dataSources.listColumns(sourceId!, {
          from: 'catalogue',
          table: tableName!,
          ...(text(schema) && { schema: text(schema)! }),
        })
      ).items,
    { enabled: sourceId !== undefined && tableName !== undefined },
  ).data;
  const ofDataset = useQuery(
    ['columns', 'dataset', datasetName],
    async () => (await api.datasets.list({ name: datasetName!, limit: 1 })).items[0]?.columns ?? [],
    { enabled: datasetName !== undefined },
  ).data;
  return (tableName !== undefined ? ofTable : datasetName !== undefined ? ofDataset : undefined) ?? [];
}
