import type { Dataset, Manifest } from '../datasets/record.ts';
import type { DatasetRepository } from '../datasets/repository.ts';
import type { TableInput } from '../engine-function/protocol.ts';
import { AppError } from '../errors/app-error.ts';
import type { QueryCommand } from './command.ts';
import { mentionedNames } from './mentioned-names.ts';

export interface DatasetDeps {
  datasets: DatasetRepository;
  manifest: (dataset: Dataset) => Promise<Manifest | undefined>;
}

/** The datasets that the statement may read and whose names it mentions, as they are now. Throws DATASET_NOT_FOUND. */
export async function mentionedDatasets(
  deps: Pick<DatasetDeps, 'datasets'>,
  command: Pick<QueryCommand, 'workspaceId' | 'datasetIds' | 'sql'>,
): Promise<Dataset[]> {
  const { workspaceId, datasetIds, sql } = command;
  const names = mentionedNames(sql);
  if (!datasetIds) {
    const found = await deps.datasets.findMany(workspaceId, names);
    // Answers are remembered by what was read, so it comes in one order.
    return found.sort((one, other) => (one.id < other.id ? -1 : 1));
  }
  const mentioned = new Set(names);
  return (await namedDatasets(deps, workspaceId, datasetIds)).filter(({ name }) => mentioned.has(name.toLowerCase()));
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

async function namedDatasets(
  deps: Pick<DatasetDeps, 'datasets'>,
  workspaceId: string,
  datasetIds: string[],
): Promise<Dataset[]> {
  const found = await deps.datasets.getMany(workspaceId, datasetIds);
  const missing = datasetIds.flatMap((id, index) =>
    found.some((dataset) => dataset.id === id)
      ? []
      : [{ pointer: `/datasetIds/${index}`, code: 'NOT_FOUND', message: 'is no dataset of this workspace' }],
  );
  if (missing.length > 0) throw new AppError('DATASET_NOT_FOUND', { errors: missing });
  return found;
}
