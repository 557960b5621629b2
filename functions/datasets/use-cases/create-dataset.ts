import { emptyDataset, refreshJob } from '../../../shared/domains/datasets/index.ts';
import { type JobContext, startJob } from '../../../shared/platform/jobs/jobs.ts';
import { shownJob } from '../../../shared/platform/jobs/record.ts';
import { scheduleAfter } from '../../../shared/platform/schedule/schedule.ts';
import { idFrom } from '../../../shared/platform/storage/ids.ts';
import type { SaveDataset } from '../save-dataset.ts';
import type { CreateDataset, CreatedDataset } from '../schemas.ts';
import { rejectInvalidSettings, type SettingsDeps } from './dataset-settings.ts';
/**
 * Creates a dataset and starts its first import. The ids of dataset and job derive from the request, so a retry under
 * the same idempotency key completes a request that crashed half-way.
 */
export async function createDataset(
  deps: SettingsDeps & { save: SaveDataset; jobs: JobContext; now(): Date },
  command: CreateDataset & { id: string; workspaceId: string; createdBy: string },
): Promise<CreatedDataset> {
  const { id, workspaceId, createdBy, name } = command;
  const { source = null, mode = 'full', incremental = null, schedule = null, partitionBy = null } = command;
  const empty = emptyDataset({ id, workspaceId, name, createdBy, at: deps.now() });
  await rejectInvalidSettings(deps, { workspaceId, name, source, mode, incremental, schedule });
  const dataset = await deps.save(null, {
    ...empty,
    source,
    mode,
    incremental,
    schedule: scheduleAfter(schedule, null),
    partitionBy,
    retention: command.retention ?? empty.retention,
  });
  if (!source) return { ...dataset, lastRefresh: null, job: null };
  const trigger = { kind: 'manual', scheduledAt: null, actor: createdBy } as const;
  const job = await startJob(deps.jobs, refreshJob(idFrom('first-import', id), dataset, trigger), 'DATASET_REFRESHING');
  return { ...dataset, lastRefresh: null, job: shownJob(job) };
}
