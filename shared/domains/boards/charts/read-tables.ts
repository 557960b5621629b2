import { AppError } from '../../../platform/errors/app-error.ts';
import type { BlendRepository } from '../../semantics/blends/index.ts';
import type { MetricRepository } from '../../semantics/metrics/index.ts';
import { DATASETS, type DefinitionReader, type ModelTablePlace, modelTables } from '../../semantics/models/index.ts';
import type { SavedQueryRepository } from '../../semantics/saved-queries/index.ts';
import type { DatasetRepository } from '../../warehouse/datasets/index.ts';
import type { ChartSpec, SourceKind } from './chart-spec.ts';

export interface ReadTablesDeps {
  definitions: DefinitionReader;
  datasets: Pick<DatasetRepository, 'getMany'>;
  savedQueries: Pick<SavedQueryRepository, 'get'>;
  metrics: Pick<MetricRepository, 'get'>;
  blends: Pick<BlendRepository, 'get'>;
}

/** A card of a dashboard, as far as it decides what is read. */
export interface ReadingCard {
  chartSpec: Pick<ChartSpec, 'query'> | null;
  savedQueryId: string | null;
}

/** The tables behind a card: those of its model, or the datasets of its query. None if its source is gone. */
export async function tablesOfCard(
  deps: ReadTablesDeps,
  workspaceId: string,
  card: ReadingCard,
): Promise<ModelTablePlace[]> {
  const source =
    card.chartSpec?.query.source ??
    (card.savedQueryId ? { kind: 'savedQuery' as const, id: card.savedQueryId } : undefined);
  if (!source) return [];
  return TABLES[source.kind](deps, workspaceId, source.id);
}

type TablesOfSource = (deps: ReadTablesDeps, workspaceId: string, id: string) => Promise<ModelTablePlace[]>;

const TABLES: Readonly<Record<SourceKind, TablesOfSource>> = {
  model: ofModel,
  async metric(deps, workspaceId, id) {
    const metric = await deps.metrics.get(workspaceId, id);
    return metric ? ofModel(deps, workspaceId, metric.modelId) : [];
  },
  async savedQuery(deps, workspaceId, id) {
    const saved = await deps.savedQueries.get(workspaceId, id);
    return ofDatasets(deps, workspaceId, saved?.reads ?? []);
  },
  async blend(deps, workspaceId, id) {
    const blend = await deps.blends.get(workspaceId, id);
    if (!blend) return [];
    const models = [...new Set([blend.leftModelId, blend.rightModelId])];
    return (await Promise.all(models.map((modelId) => ofModel(deps, workspaceId, modelId)))).flat();
  },
  dataset: (deps, workspaceId, id) => ofDatasets(deps, workspaceId, [id]),
};

async function ofModel(
  { definitions }: ReadTablesDeps,
  workspaceId: string,
  modelId: string,
): Promise<ModelTablePlace[]> {
  try {
    return modelTables(await definitions.read({ workspaceId, modelId }));
  } catch (error) {
    if (error instanceof AppError && error.code === 'MODEL_NOT_FOUND') return [];
    throw error;
  }
}

async function ofDatasets(
  { datasets }: ReadTablesDeps,
  workspaceId: string,
  ids: readonly string[],
): Promise<ModelTablePlace[]> {
  const found = await datasets.getMany(workspaceId, ids);
  return found.map(({ name: tableName }) => ({ sourceId: DATASETS, schemaName: '', tableName }));
}
