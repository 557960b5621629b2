import type { DataSourceRepository } from '../../../shared/data-sources/repository.ts';
import { AppError } from '../../../shared/errors/app-error.ts';
import { findSource } from './find-source.ts';

/** What would stop working without the source. */
export interface SourceReferrer {
  type: 'pipeline' | 'dataset';
  id: string;
  name: string;
}

export type FindReferrers = (workspaceId: string, sourceId: string) => Promise<SourceReferrer[]>;

export async function deleteDataSource(
  deps: { sources: DataSourceRepository; referrers: FindReferrers },
  command: { workspaceId: string; id: string },
): Promise<void> {
  const source = await findSource(deps, command);
  const referencedBy = await deps.referrers(command.workspaceId, command.id);
  if (referencedBy.length > 0) throw new AppError('DATA_SOURCE_REFERENCED', { members: { referencedBy } });
  await deps.sources.remove(source, 'DATA_SOURCE_NOT_FOUND');
}
