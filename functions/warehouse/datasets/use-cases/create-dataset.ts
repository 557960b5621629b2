import { requireMayWrite, type WriteDeps } from '../../../../shared/domains/pipelines/copies/index.ts';
import type { CopyDeps } from '../../../../shared/domains/semantics/row-rights/index.ts';
import { emptyDataset, refreshJob } from '../../../../shared/domains/warehouse/datasets/index.ts';
import type { Principal } from '../../../../shared/platform/auth/principal.ts';
import { type JobContext, startJob } from '../../../../shared/platform/jobs/jobs.ts';
import { showJob } from '../../../../shared/platform/jobs/record.ts';
import { scheduleAfter } from '../../../../shared/platform/schedule/schedule.ts';
import { idFrom } from '../../../../shared/platform/storage/ids.ts';
import type { SaveDataset } from '../save-dataset.ts';
import type { CreateDataset, CreatedDataset } from '../schemas.ts';
import { rejectInvalidSettings, type SettingsDeps } from './dataset-settings.ts';
import { definedCopy } from './defined-copy.ts';
/**
 * Creates a dataset and starts its first import. The ids of dataset and job derive from the request, so a retry under
 * the same idempotency key completes a request that crashed half-way.
 */
export async function createDataset(
  deps: SettingsDeps & CopyDeps & WriteDeps & { save: SaveDataset; jobs: JobContext },
  command: CreateDataset & { id: string; principal: Principal },
): Promise<CreatedDataset> {
  const { id, principal, name } = command;
  const { workspaceId, userId: createdBy } = principal;
  const { source = null, mode = 'full', incremental = null, schedule = null, partitionBy = null } = command;
  const empty = emptyDataset({ id, workspaceId, name, createdBy, at: deps.now() });
  await rejectInvalidSettings(deps, { workspaceId, name, source, mode, incremental, schedule });
  await requireMayWrite(deps, principal, { datasets: [name] });
  const next = {
    ...empty,
    source,
    mode,
    incremental,
    schedule: scheduleAfter(schedule, null),
    partitionBy,
    retention: command.retention ?? empty.retention,
  };
  const dataset = await deps.save(null, next, [], await definedCopy(deps, principal, next));
  if (!source) return { ...dataset, lastRefresh: null, job: null };
  const trigger = { kind: 'manual', scheduledAt: null, actor: createdBy } as const;
  const job = await startJob(deps.jobs, refreshJob(idFrom('first-import', id), dataset, trigger), 'DATASET_REFRESHING');
  return { ...dataset, lastRefresh: null, job: showJob(job) };
}
