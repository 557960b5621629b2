import type { ChartDeps } from '../../boards/charts/index.ts';
import { DATASETS, type ModelDefinition } from '../../semantics/models/index.ts';
import type { Dataset, DatasetRepository } from '../../warehouse/datasets/index.ts';
import type { PinnedDataset, PinnedSource } from './pins.ts';
import type { ResolvedSource } from './resolve-source.ts';

/** A pinned version has expired, so that the question cannot be asked again. */
export class PinExpired extends Error {}

/** Whether the same question can be asked again over the same rows. */
export const isRepeatable = ({ reads }: PinnedSource): boolean =>
  reads.every(({ sourceId, places }) => sourceId === DATASETS && places !== 'all');

/**
 * Everything that a question reads as it was when the story was published, but the rights: these are always those of
 * the moment, also the datasets that policies look into. What throws `PinExpired` reads something that is not kept.
 */
export function pinnedDeps<Deps extends ChartDeps>(
  deps: Deps,
  { from, definitions, takenAt }: ResolvedSource & { takenAt: Date },
): Deps {
  const { saved, metric, blend } = from;
  return {
    ...deps,
    datasets: pinnedDatasets(deps, from.datasets),
    rightsDatasets: deps.datasets,
    manifest: async (dataset: Dataset) => {
      const found = await deps.manifest(dataset);
      const isPinned = from.datasets.some(({ id, version }) => id === dataset.id && version === dataset.version);
      // Without files, the question would be answered from no rows.
      if (!found && isPinned && dataset.version > 0) throw new PinExpired();
      return found;
    },
    savedQueries: { get: async (_workspaceId: string, id: string) => (saved?.id === id ? saved : undefined) },
    metrics: { get: async (_workspaceId: string, id: string) => (metric?.id === id ? metric : undefined) },
    blends: { get: async (_workspaceId: string, id: string) => (blend?.id === id ? blend : undefined) },
    definitions: {
      read: async ({ modelId }: { modelId: string }) => {
        const definition = definitions.find(({ model }) => model.id === modelId);
        if (!definition) throw new PinExpired();
        return definition;
      },
    },
    // Periods such as "this month" are those of the snapshot.
    now: () => takenAt,
  };
}

function pinnedDatasets(
  { datasets, manifest }: Pick<ChartDeps, 'datasets' | 'manifest'>,
  pinned: readonly PinnedDataset[],
): DatasetRepository {
  async function getMany(workspaceId: string, ids: readonly string[]): Promise<Dataset[]> {
    const wanted = pinned.filter(({ id }) => ids.includes(id));
    if (wanted.length < new Set(ids).size) throw new PinExpired();
    const found = await datasets.getMany(workspaceId, [...ids]);
    return Promise.all(
      wanted.map(async ({ id, name, version }) => {
        const dataset = found.find((each) => each.id === id);
        if (dataset?.name !== name) throw new PinExpired();
        return asOfVersion(dataset, version);
      }),
    );
  }

  async function asOfVersion(dataset: Dataset, version: number): Promise<Dataset> {
    if (version === 0) return { ...dataset, version, columns: [], rowCount: 0, sizeBytes: 0 };
    const found = await manifest({ ...dataset, version });
    if (!found) throw new PinExpired();
    const { columns, rowCount, sizeBytes } = found;
    return { ...dataset, version, columns, rowCount, sizeBytes };
  }

  return {
    ...datasets,
    getMany,
    get: async (workspaceId, id) => (await getMany(workspaceId, [id]))[0],
    findMany(workspaceId, names) {
      const wanted = new Set(names.map((name) => name.toLowerCase()));
      const ids = pinned.filter(({ name }) => wanted.has(name.toLowerCase())).map(({ id }) => id);
      return getMany(workspaceId, ids);
    },
  };
}

/** The model of a snapshot, with what protects its rows and fields now. */
export function underCurrentRights(pinned: ModelDefinition, current: ModelDefinition): ModelDefinition {
  const fields = new Map(
    [...pinned.fields].map(([id, field]) => {
      const { sensitivityLabel } = current.fields.get(id) ?? field;
      return [id, { ...field, sensitivityLabel }];
    }),
  );
  return { ...pinned, fields, policies: current.policies };
}
