import type { DeleteUnused } from '../../../../shared/domains/upkeep/referrers/index.ts';
import type { Dataset, DatasetRepository } from '../../../../shared/domains/warehouse/datasets/index.ts';
import { activeJob, cancelJob, type JobContext } from '../../../../shared/platform/jobs/jobs.ts';
import type { TransactItem } from '../../../../shared/platform/storage/table.ts';
import { findDataset } from './read-datasets.ts';

/**
 * Deletes a dataset that nothing else uses, and cancels its refresh. Its files are deleted a day later. Throws
 * `DATASET_NOT_FOUND`, or `REFERENCED` with what uses it.
 */
export async function removeDataset(
  deps: {
    datasets: DatasetRepository;
    jobs: JobContext;
    deleteUnused: DeleteUnused;
    /** The items are the last of the transaction. */
    remove(dataset: Dataset, free: TransactItem[]): Promise<void>;
  },
  command: { workspaceId: string; id: string },
): Promise<void> {
  await deps.deleteUnused(command, () => findDataset(deps, command), deps.remove);
  // A refresh cannot commit anything without its dataset; cancelling only ends it sooner.
  const job = await activeJob(deps.jobs, {
    workspaceId: command.workspaceId,
    kind: 'dataset_refresh',
    subjectId: command.id,
  });
  if (job) await cancelJob(deps.jobs, job);
}
