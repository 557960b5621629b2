import type { DeleteUnused } from '../../../../shared/domains/upkeep/referrers/index.ts';
import type { Dataset, DatasetRepository } from '../../../../shared/domains/warehouse/datasets/index.ts';
import type { Principal } from '../../../../shared/platform/auth/principal.ts';
import { activeJob, cancelJob, type JobContext } from '../../../../shared/platform/jobs/jobs.ts';
import type { TransactItem } from '../../../../shared/platform/storage/table.ts';
import { findDataset } from './read-datasets.ts';

/**
 * Deletes a dataset that nothing else uses, and cancels its refresh. Its files are deleted a day later. Throws
 * `DATASET_NOT_FOUND`, or `REFERENCED` with what uses it, as far as the caller may see that.
 */
export async function removeDataset(
  deps: {
    datasets: DatasetRepository;
    jobs: JobContext;
    deleteUnused: DeleteUnused;
    /** The items are the last of the transaction. */
    remove(dataset: Dataset, free: TransactItem[]): Promise<void>;
  },
  { principal, id }: { principal: Principal; id: string },
): Promise<void> {
  const { workspaceId } = principal;
  await deps.deleteUnused({ principal, id }, () => findDataset(deps, { workspaceId, id }), deps.remove);
  // A refresh cannot commit anything without its dataset; cancelling only ends it sooner.
  const job = await activeJob(deps.jobs, {
    workspaceId,
    kind: 'dataset_refresh',
    subjectId: id,
  });
  if (job) await cancelJob(deps.jobs, job);
}
