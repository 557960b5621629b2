import type { Dataset } from '../../../shared/domains/datasets/record.ts';
import type { DatasetRepository } from '../../../shared/domains/datasets/repository.ts';
import { AppError } from '../../../shared/platform/errors/app-error.ts';

export async function findDataset(
  deps: { datasets: DatasetRepository },
  named: { workspaceId: string; id: string },
): Promise<Dataset> {
  const dataset = await deps.datasets.get(named.workspaceId, named.id);
  if (!dataset) throw new AppError('DATASET_NOT_FOUND');
  return dataset;
}
