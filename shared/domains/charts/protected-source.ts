import { AppError } from '../../platform/errors/app-error.ts';
import { isProtected, publicReader } from '../metrics/index.ts';
import { DATASETS } from '../models/index.ts';
import { isProtectedTable } from '../row-rights/index.ts';
import type { ChartQuery } from './chart-spec.ts';
import type { ChartCheckDeps } from './read-chart.ts';

type Place = { workspaceId: string; companyId: string };

/**
 * Whether row-level security or sensitivity labels restrict what a chart of the source reads, regardless of its reader. A source
 * that does not exist restricts nothing: a chart of it has no rows.
 */
export async function isProtectedSource(
  deps: ChartCheckDeps,
  place: Place,
  { kind, id }: ChartQuery['source'],
): Promise<boolean> {
  const { workspaceId } = place;
  switch (kind) {
    case 'model':
      return isProtectedModel(deps, place, id);
    case 'metric': {
      const metric = await deps.metrics.get(workspaceId, id);
      return metric !== undefined && isProtectedModel(deps, place, metric.modelId);
    }
    case 'dataset': {
      const dataset = await deps.datasets.get(workspaceId, id);
      if (!dataset) return false;
      const table = { schema: '', table: dataset.name };
      return isProtectedTable(deps.rights, { workspaceId, sourceId: DATASETS, place: table });
    }
    case 'savedQuery': {
      const saved = await deps.savedQueries.get(workspaceId, id);
      // Its SQL may read any table of the source.
      return (
        saved !== undefined &&
        isProtectedTable(deps.rights, { workspaceId, sourceId: saved.sourceId ?? DATASETS, place: 'all' })
      );
    }
  }
}

async function isProtectedModel(deps: ChartCheckDeps, place: Place, modelId: string): Promise<boolean> {
  const { workspaceId } = place;
  try {
    const definition = await deps.definitions.read({ workspaceId, modelId });
    return await isProtected(deps.rights, definition, publicReader(place));
  } catch (error) {
    if (error instanceof AppError && error.code === 'MODEL_NOT_FOUND') return false;
    throw error;
  }
}
