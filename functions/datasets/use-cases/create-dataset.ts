import { emptyDataset, refreshJob } from '../../../shared/domains/datasets/index.ts';
import { type JobContext, startJob } from '../../../shared/platform/jobs/jobs.ts';
import { shownJob } from '../../../shared/platform/jobs/record.ts';
import { scheduleAfter } from '../../../shared/platform/schedule/schedule.ts';
import { idFrom } from '../../../shared/platform/storage/ids.ts';
import type { SaveDataset } from '../save-dataset.ts';
import type { CreateDataset, CreatedDataset } from '../schemas.ts';
import { refuseInvalidSettings, type SettingsDeps } from './dataset-settings.ts';
/**
 * Creates a dataset and starts its first import. Should this die in between, its repetition under the same idempotency
 * key goes on: dataset and job have ids that follow from the request.
 */
export async function createDataset(
  deps: SettingsDeps & { save: SaveDataset; jobs: JobContext; now(): Date },
  command: CreateDataset & { id: string; workspaceId: string; createdBy: string },
): Promise<CreatedDataset> {
  const { id, workspaceId, createdBy, name } = command;
  const { source = null, mode = 'full', incremental = null, schedule = null, partitionBy = null } = command;
  const empty = emptyDataset({ id, workspaceId, name, createdBy, at: deps.now() });
  await refuseInvalidSettings(deps, { workspaceId, name, source, mode, incremental, schedule });
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
