import {
  catalogueObjects,
  type DataSourceRepository,
  type StoredDataSource,
  uploadKey,
} from '../../../../shared/domains/warehouse/sources/index.ts';
import { AppError } from '../../../../shared/platform/errors/app-error.ts';
import { activeJob, cancelJob, type JobContext } from '../../../../shared/platform/jobs/jobs.ts';
import type { ObjectStore } from '../../../../shared/platform/objects/object-store.ts';
import { onNewest } from '../../../../shared/platform/storage/on-newest.ts';
import type { NamedReferrer } from '../../../../shared/platform/storage/referrers.ts';
import { findSource } from './read-data-sources.ts';

interface Deps {
  sources: DataSourceRepository;
  /** The records that depend on the source. */
  referrers(workspaceId: string, sourceId: string): Promise<NamedReferrer[]>;
  jobs: JobContext;
  objects: Pick<ObjectStore, 'list' | 'remove'>;
  /**
   * Removes the source as it was read, with all of its items. Throws `STALE_WRITE`, also if something refers to the
   * source by now.
   */
  remove(source: StoredDataSource): Promise<void>;
}

/** Objects are removed last: files without a source are unreachable, but a source without files would be broken. */
export async function deleteDataSource(deps: Deps, command: { workspaceId: string; id: string }): Promise<void> {
  const { workspaceId, id } = command;
  const source = await onNewest('STALE_WRITE', async () => {
    const current = await findSource(deps, command);
    const referencedBy = await deps.referrers(workspaceId, id);
    if (referencedBy.length > 0) {
      throw new AppError('REFERENCED', { members: { referencedBy, impact: `/api/catalog/impact/source/${id}` } });
    }
    await deps.remove(current);
    return current;
  });
  // A sync cannot commit anything without its source; cancelling only ends it sooner.
  const job = await activeJob(deps.jobs, { workspaceId, kind: 'source_sync', subjectId: id });
  if (job) await cancelJob(deps.jobs, job);
  const prefixes = [catalogueObjects({ workspaceId, sourceId: id })];
  if (source.type === 'file') prefixes.push(uploadKey(workspaceId, id, ''));
  for (const prefix of prefixes) await deps.objects.remove((await deps.objects.list(prefix)).map(({ key }) => key));
}
