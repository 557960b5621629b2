import { type Dataset, listVersions, type VersionSummary } from '../../warehouse/datasets/index.ts';
import type { AlertReadDeps } from './reading-deps.ts';

/**
 * The last states of the datasets, oldest first: whenever one got a version, with what the others had at the time. Only
 * versions with the columns of today count: rights hide columns by name, and would miss one that had another name.
 */
export async function pastStates(
  deps: AlertReadDeps,
  workspaceId: string,
  datasetIds: readonly string[],
  last: number,
): Promise<{ at: Date; deps: AlertReadDeps }[]> {
  const datasets = await deps.datasets.getMany(workspaceId, datasetIds);
  const histories = await Promise.all(
    datasets.map(async (dataset) => {
      const versions = await listVersions(deps.rights.table, workspaceId, dataset.id);
      return { dataset, versions: versions.filter((version) => hasSameColumns(dataset, version)) };
    }),
  );
  const instants = [...new Set(histories.flatMap(({ versions }) => versions.map(({ createdAt }) => createdAt)))].sort();
  const states = instants.flatMap((instant) => {
    const then = histories.flatMap(({ dataset, versions }) => {
      const version = versions.find(({ createdAt }) => createdAt <= instant);
      return version ? [{ ...dataset, version: version.version }] : [];
    });
    return then.length === datasets.length ? [{ at: new Date(instant), deps: asOf(deps, then) }] : [];
  });
  return states.slice(-last);
}

const hasSameColumns = ({ columns }: Dataset, version: VersionSummary): boolean =>
  JSON.stringify(columns) === JSON.stringify(version.columns);

/** Reads these datasets at their versions. */
function asOf(deps: AlertReadDeps, then: readonly Dataset[]): AlertReadDeps {
  const byId = new Map(then.map((dataset) => [dataset.id, dataset]));
  const past = <D extends Dataset | undefined>(dataset: D): D => ((dataset && byId.get(dataset.id)) as D) ?? dataset;
  const { datasets } = deps;
  return {
    ...deps,
    datasets: {
      ...datasets,
      get: async (workspaceId, id) => past(await datasets.get(workspaceId, id)),
      getMany: async (workspaceId, ids) => (await datasets.getMany(workspaceId, ids)).map(past),
      find: async (workspaceId, name) => past(await datasets.find(workspaceId, name)),
      findMany: async (workspaceId, names) => (await datasets.findMany(workspaceId, names)).map(past),
    },
  };
}
