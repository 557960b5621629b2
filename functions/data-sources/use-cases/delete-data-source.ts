import { uploadKey } from '../../../shared/data-sources/record.ts';
import type { DataSourceRepository } from '../../../shared/data-sources/repository.ts';
import { AppError } from '../../../shared/errors/app-error.ts';
import type { ObjectStore } from '../../../shared/objects/object-store.ts';
import { onNewest } from '../../../shared/storage/on-newest.ts';
import { findSource } from './find-source.ts';

/** What would stop working without the source. */
export interface SourceReferrer {
  type: 'pipeline' | 'dataset';
  id: string;
  name: string;
}

export type FindReferrers = (workspaceId: string, sourceId: string) => Promise<SourceReferrer[]>;

/** The uploads go last: files without a source can be reached by nobody, a source without its files would be broken. */
export async function deleteDataSource(
  deps: { sources: DataSourceRepository; referrers: FindReferrers; objects: Pick<ObjectStore, 'list' | 'remove'> },
  command: { workspaceId: string; id: string },
): Promise<void> {
  const source = await onNewest('STALE_WRITE', async () => {
    const newest = await findSource(deps, command);
    const referencedBy = await deps.referrers(command.workspaceId, command.id);
    if (referencedBy.length > 0) throw new AppError('DATA_SOURCE_REFERENCED', { members: { referencedBy } });
    await deps.sources.remove(newest, 'STALE_WRITE');
    return newest;
  });
  if (source.type !== 'file') return;
  const uploads = await deps.objects.list(uploadKey(command.workspaceId, command.id, ''));
  await deps.objects.remove(uploads.map(({ key }) => key));
}
