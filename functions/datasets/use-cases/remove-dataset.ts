import type { Dataset, DatasetRepository } from '../../../shared/domains/datasets/index.ts';
import { AppError } from '../../../shared/platform/errors/app-error.ts';
import { activeJob, cancelJob, type JobContext } from '../../../shared/platform/jobs/jobs.ts';
import { onNewest } from '../../../shared/platform/storage/on-newest.ts';
import { findDataset } from './read-datasets.ts';

export interface DatasetReferrer {
  type: 'pipeline' | 'dataset' | 'saved-query';
  id: string;
  name: string;
}

/** Deletes a dataset that nothing else uses, and cancels its refresh. Its files are deleted a day later. */
export async function removeDataset(
  deps: {
    datasets: DatasetRepository;
    jobs: JobContext;
    referrers(dataset: Dataset): Promise<DatasetReferrer[]>;
    remove(dataset: Dataset): Promise<void>;
  },
  command: { workspaceId: string; id: string },
): Promise<void> {
  await onNewest('STALE_WRITE', async () => {
    const dataset = await findDataset(deps, command);
    const referencedBy = await deps.referrers(dataset);
    if (referencedBy.length > 0) throw new AppError('DATASET_REFERENCED', { members: { referencedBy } });
    await deps.remove(dataset);
  });
  // A refresh cannot commit anything without its dataset; cancelling only ends it sooner.
  const job = await activeJob(deps.jobs, {
    workspaceId: command.workspaceId,
    kind: 'dataset_refresh',
    subjectId: command.id,
  });
  if (job) await cancelJob(deps.jobs, job);
}
