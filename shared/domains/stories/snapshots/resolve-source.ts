import { type ChartDeps, type ChartSpec, readsOf } from '../../boards/charts/index.ts';
import { DATASETS, type ModelDefinition } from '../../semantics/models/index.ts';
import type { Dataset } from '../../warehouse/datasets/index.ts';
import type { PinnedReads, PinnedSource } from './pins.ts';

/** A source with the definitions of the models through which it reads. */
export interface ResolvedSource {
  from: PinnedSource;
  definitions: readonly ModelDefinition[];
}

/** Resolves a source down to the tables that it reads. Undefined if any step of the way is not known. */
export async function resolveSource(
  deps: ChartDeps,
  workspaceId: string,
  source: ChartSpec['query']['source'],
): Promise<ResolvedSource | undefined> {
  const { kind, id } = source;
  const [found, saved, metric, blend] = await Promise.all([
    readsOf(deps, workspaceId, source),
    kind === 'savedQuery' ? deps.savedQueries.get(workspaceId, id) : undefined,
    kind === 'metric' ? deps.metrics.get(workspaceId, id) : undefined,
    kind === 'blend' ? deps.blends.get(workspaceId, id) : undefined,
  ]);
  if (!found || found.length === 0) return undefined;
  const reads = found.map(({ sourceId, places, modelId = null }) => ({ sourceId, places, modelId }));
  const definitions = await Promise.all(
    modelsOf({ reads }).map((modelId) => deps.definitions.read({ workspaceId, modelId })),
  );
  const datasets =
    kind === 'dataset'
      ? await deps.datasets.getMany(workspaceId, [id])
      : (await Promise.all(reads.map((each) => datasetsOf(deps, workspaceId, each)))).flat();
  const versions = datasets.map(({ id: datasetId, name, version }) => ({ id: datasetId, name, version }));
  return {
    definitions,
    from: {
      source,
      reads,
      datasets: [...new Map(versions.map((each) => [each.id, each])).values()],
      saved: saved ?? null,
      metric: metric ?? null,
      blend: blend ?? null,
    },
  };
}

export const modelsOf = ({ reads }: Pick<PinnedSource, 'reads'>): string[] =>
  reads.flatMap(({ modelId }) => modelId ?? []);

async function datasetsOf(deps: ChartDeps, workspaceId: string, { sourceId, places }: PinnedReads): Promise<Dataset[]> {
  if (sourceId !== DATASETS || places === 'all') return [];
  return deps.datasets.findMany(
    workspaceId,
    places.map(({ table }) => table.toLowerCase()),
  );
}
