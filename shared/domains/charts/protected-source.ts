import { AppError } from '../../platform/errors/app-error.ts';
import { DATASETS, type SourcePlace } from '../models/index.ts';
import { isProtectedTable } from '../row-rights/index.ts';
import type { ChartQuery } from './chart-spec.ts';
import type { ChartCheckDeps } from './read-chart.ts';

/**
 * Whether row-level security or sensitivity labels restrict what a chart of the source reads, so that not every member may see its rows. If
 * a statement or a view may read any table of the source, every protected table counts. A source that does not exist is not protected,
 * because its charts have no rows.
 */
export async function isProtectedSource(
  deps: ChartCheckDeps,
  workspaceId: string,
  source: ChartQuery['source'],
): Promise<boolean> {
  const read = await readsOf(deps, workspaceId, source);
  if (!read) return false;
  const { sourceId } = read;
  const places = read.places === 'all' ? (['all'] as const) : read.places;
  const found = await Promise.all(
    places.map((place) => isProtectedTable(deps.rights, { workspaceId, sourceId, place })),
  );
  return found.some(Boolean);
}

/** The tables that a chart of the source reads. */
export interface Reads {
  sourceId: string;
  places: readonly SourcePlace[] | 'all';
}

/** Undefined if the source does not exist. */
export async function readsOf(
  deps: ChartCheckDeps,
  workspaceId: string,
  { kind, id }: ChartQuery['source'],
): Promise<Reads | undefined> {
  switch (kind) {
    case 'dataset': {
      const dataset = await deps.datasets.get(workspaceId, id);
      return dataset && { sourceId: DATASETS, places: [{ schema: '', table: dataset.name }] };
    }
    case 'savedQuery': {
      const saved = await deps.savedQueries.get(workspaceId, id);
      return saved && { sourceId: saved.sourceId ?? DATASETS, places: 'all' };
    }
    case 'metric': {
      const metric = await deps.metrics.get(workspaceId, id);
      return metric && ofModel(deps, workspaceId, metric.modelId);
    }
    default:
      return ofModel(deps, workspaceId, id);
  }
}

async function ofModel({ definitions }: ChartCheckDeps, workspaceId: string, modelId: string) {
  try {
    const { model, tables } = await definitions.read({ workspaceId, modelId });
    if (model.sourceId !== DATASETS) return { sourceId: model.sourceId, places: 'all' as const };
    const places = [...tables.values()].map(({ sourceSchema: schema, sourceTable: table }) => ({ schema, table }));
    return { sourceId: DATASETS, places };
  } catch (error) {
    if (error instanceof AppError && error.code === 'MODEL_NOT_FOUND') return undefined;
    throw error;
  }
}
