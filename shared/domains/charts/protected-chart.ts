import { DATASETS, type SourcePlace } from '../models/index.ts';
import { isProtectedTable } from '../row-rights/index.ts';
import type { ChartQuery } from './chart-spec.ts';
import type { ChartDeps } from './read-chart.ts';

type Deps = Pick<ChartDeps, 'rights' | 'definitions' | 'datasets' | 'savedQueries' | 'metrics'>;

/**
 * Whether row-level security or a sensitivity label may keep anyone from what a chart reads. Its rows then must not reach all readers of
 * a dashboard in one text. In a live source each protected table counts, because views and statements may read any; a source that is
 * gone counts too.
 */
export async function isChartProtected(deps: Deps, workspaceId: string, { source }: ChartQuery): Promise<boolean> {
  const read = await readsOf(deps, workspaceId, source);
  if (!read) return true;
  const places = read.places === 'all' ? ['all' as const] : read.places;
  const found = await Promise.all(
    places.map((place) => isProtectedTable(deps.rights, { workspaceId, sourceId: read.sourceId, place })),
  );
  return found.some(Boolean);
}

interface Reads {
  sourceId: string;
  places: readonly SourcePlace[] | 'all';
}

async function readsOf(
  deps: Deps,
  workspaceId: string,
  { kind, id }: ChartQuery['source'],
): Promise<Reads | undefined> {
  switch (kind) {
    case 'dataset':
      return datasetsNamed(deps, workspaceId, [id]);
    case 'savedQuery': {
      const saved = await deps.savedQueries.get(workspaceId, id);
      if (saved?.sourceId) return { sourceId: saved.sourceId, places: 'all' };
      return saved && datasetsNamed(deps, workspaceId, saved.reads);
    }
    case 'metric': {
      const metric = await deps.metrics.get(workspaceId, id);
      return metric && ofModel(deps, workspaceId, metric.modelId);
    }
    default:
      return ofModel(deps, workspaceId, id);
  }
}

async function ofModel({ definitions }: Deps, workspaceId: string, modelId: string): Promise<Reads> {
  const { model, tables } = await definitions.read({ workspaceId, modelId });
  if (model.sourceId !== DATASETS) return { sourceId: model.sourceId, places: 'all' };
  const places = [...tables.values()].map(({ sourceSchema, sourceTable }) => ({
    schema: sourceSchema,
    table: sourceTable,
  }));
  return { sourceId: DATASETS, places };
}

async function datasetsNamed({ datasets }: Deps, workspaceId: string, ids: readonly string[]) {
  const found = await Promise.all(ids.map((id) => datasets.get(workspaceId, id)));
  const names = found.flatMap((dataset) => dataset?.name ?? []);
  return names.length === ids.length
    ? { sourceId: DATASETS, places: names.map((table) => ({ schema: '', table })) }
    : undefined;
}
