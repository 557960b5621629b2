import { type DataSourceRepository, syncJob } from '../../../../shared/domains/warehouse/sources/index.ts';
import { AppError } from '../../../../shared/platform/errors/app-error.ts';
import { type JobContext, startJob } from '../../../../shared/platform/jobs/jobs.ts';
import { type Job, showJob } from '../../../../shared/platform/jobs/record.ts';
import { type Schedule, scheduleAfter, scheduleIssues } from '../../../../shared/platform/schedule/schedule.ts';
import { later } from '../../../../shared/platform/storage/ids.ts';
import { onNewest } from '../../../../shared/platform/storage/on-newest.ts';
import type { DataSource } from '../schemas.ts';
import { findSource, showDataSource } from './read-data-sources.ts';

/** Starts to read the catalogue; a source has one active sync at most. */
export async function syncDataSource(
  deps: { sources: DataSourceRepository; jobs: JobContext },
  command: { workspaceId: string; id: string; jobId: string; userId: string },
): Promise<Job> {
  const source = await findSource(deps, command);
  const trigger = { kind: 'manual', scheduledAt: null, actor: command.userId } as const;
  return showJob(await startJob(deps.jobs, syncJob(command.jobId, source, trigger), 'DATA_SOURCE_SYNCING'));
}

export async function scheduleSync(
  deps: { sources: DataSourceRepository; now: () => Date },
  command: { workspaceId: string; id: string; schedule: Schedule },
): Promise<DataSource> {
  return onNewest('STALE_WRITE', async () => {
    const current = await findSource(deps, command);
    const errors = scheduleIssues(command.schedule, '', current.schedule);
    if (errors.length > 0) throw new AppError('VALIDATION_FAILED', { errors });
    const schedule = scheduleAfter(command.schedule, current.schedule);
    const updatedAt = later(current.updatedAt, deps.now());
    return showDataSource(await deps.sources.replace(current, { ...current, schedule, updatedAt }, 'STALE_WRITE'));
  });
}
