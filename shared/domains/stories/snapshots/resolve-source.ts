import { type ChartDeps, type ChartSpec, readsOf } from '../../boards/charts/index.ts';
import { DATASETS, type ModelDefinition } from '../../semantics/models/index.ts';
import type { PinnedSource } from './pins.ts';

/** A source with the definition of its model, if it has one. */
export interface ResolvedSource {
  from: PinnedSource;
  definition: ModelDefinition | undefined;
}

/**
 * Resolves a source down to the tables that it reads. Undefined if any step of the way is not known, or if it reads
 * several models, of which a snapshot keeps only one.
 */
export async function resolveSource(
  deps: ChartDeps,
  workspaceId: string,
  source: ChartSpec['query']['source'],
): Promise<ResolvedSource | undefined> {
  const { kind, id } = source;
  const [reads, saved, metric] = await Promise.all([
    readsOf(deps, workspaceId, source),
    kind === 'savedQuery' ? deps.savedQueries.get(workspaceId, id) : undefined,
    kind === 'metric' ? deps.metrics.get(workspaceId, id) : undefined,
  ]);
  const [read, ...others] = reads ?? [];
  if (!read || others.length > 0 || kind === 'blend') return undefined;
  const modelId = kind === 'model' ? id : (metric?.modelId ?? null);
  const definition = modelId === null ? undefined : await deps.definitions.read({ workspaceId, modelId });
  const { sourceId, places } = read;
  const datasets =
    kind === 'dataset'
      ? await deps.datasets.getMany(workspaceId, [id])
      : sourceId === DATASETS && places !== 'all'
        ? await deps.datasets.findMany(
            workspaceId,
            places.map(({ table }) => table.toLowerCase()),
          )
        : [];
  return {
    definition,
    from: {
      ...{ source, sourceId, places, modelId },
      datasets: datasets.map(({ id: datasetId, name, version }) => ({ id: datasetId, name, version })),
      saved: saved ?? null,
      metric: metric ?? null,
    },
  };
}
