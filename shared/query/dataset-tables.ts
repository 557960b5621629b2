import type { Dataset, Manifest } from '../datasets/record.ts';
import type { DatasetRepository } from '../datasets/repository.ts';
import type { TableInput } from '../engine-function/protocol.ts';
import { AppError } from '../errors/app-error.ts';
import type { QueryCommand } from './command.ts';

export interface DatasetDeps {
  datasets: DatasetRepository;
  allDatasets: (workspaceId: string) => Promise<Dataset[]>;
  manifest: (dataset: Dataset) => Promise<Manifest | undefined>;
}

/** The datasets that the statement may read and whose names it mentions, as they are now. Throws DATASET_NOT_FOUND. */
export async function mentionedDatasets(
  deps: Pick<DatasetDeps, 'datasets' | 'allDatasets'>,
  command: Pick<QueryCommand, 'workspaceId' | 'datasetIds' | 'sql'>,
): Promise<Dataset[]> {
  return (await readable(deps, command)).filter(({ name }) => isMentioned(name, command.sql));
}

/** The files of the datasets; one that was never loaded has no columns and is no table. */
export async function tablesOf(deps: Pick<DatasetDeps, 'manifest'>, datasets: Dataset[]): Promise<TableInput[]> {
  const loaded = datasets.filter(({ columns }) => columns.length > 0);
  return Promise.all(
    loaded.map(async (dataset) => {
      const manifest = await deps.manifest(dataset);
      return { name: dataset.name, columns: dataset.columns, files: manifest?.files ?? [] };
    }),
  );
}

/** A first sieve, so that few manifests are read: the engine finds out what the statement really reads. */
function isMentioned(name: string, sql: string): boolean {
  return sql.toLowerCase().includes(name.toLowerCase().replaceAll('"', '""'));
}

/** The datasets that were named, or every one of the workspace. */
async function readable(
  deps: Pick<DatasetDeps, 'datasets' | 'allDatasets'>,
  { workspaceId, datasetIds }: Pick<QueryCommand, 'workspaceId' | 'datasetIds'>,
): Promise<Dataset[]> {
  if (datasetIds) {
    const found = await deps.datasets.getMany(workspaceId, datasetIds);
    const missing = datasetIds.flatMap((id, index) =>
      found.some((dataset) => dataset.id === id)
        ? []
        : [{ pointer: `/datasetIds/${index}`, code: 'NOT_FOUND', message: 'is no dataset of this workspace' }],
    );
    if (missing.length > 0) throw new AppError('DATASET_NOT_FOUND', { errors: missing });
    return found;
  }
  return deps.allDatasets(workspaceId);
}
