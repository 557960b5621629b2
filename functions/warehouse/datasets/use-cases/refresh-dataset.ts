import { type DatasetRepository, refreshJob } from '../../../../shared/domains/warehouse/datasets/index.ts';
import { AppError } from '../../../../shared/platform/errors/app-error.ts';
import { activeJob, cancelJob, type JobContext, startJob } from '../../../../shared/platform/jobs/jobs.ts';
import { type Job, showJob } from '../../../../shared/platform/jobs/record.ts';
import { findDataset } from './read-datasets.ts';

interface Deps {
  datasets: DatasetRepository;
  jobs: JobContext;
}

/** Starts a refresh; a dataset has one active refresh at most. */
export async function refreshDataset(
  deps: Deps,
  command: { workspaceId: string; id: string; jobId: string; userId: string },
): Promise<Job> {
  const dataset = await findDataset(deps, command);
  if (!dataset.source) throw new AppError('DATASET_HAS_NO_SOURCE');
  const trigger = { kind: 'manual', scheduledAt: null, actor: command.userId } as const;
  return showJob(await startJob(deps.jobs, refreshJob(command.jobId, dataset, trigger), 'DATASET_REFRESHING'));
}

/** Cancels the active refresh; its worker stops within seconds. */
export async function cancelRefresh(deps: Deps, command: { workspaceId: string; id: string }): Promise<Job> {
  await findDataset(deps, command);
  const job = await activeJob(deps.jobs, {
    workspaceId: command.workspaceId,
    kind: 'dataset_refresh',
    subjectId: command.id,
  });
  if (!job) throw new AppError('DATASET_NOT_REFRESHING');
  return showJob(await cancelJob(deps.jobs, job));
}
