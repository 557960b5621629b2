import type { StoredDataSource } from '../../../shared/domains/sources/record.ts';
import type { DataSourceRepository } from '../../../shared/domains/sources/repository.ts';
import { AppError } from '../../../shared/platform/errors/app-error.ts';

export async function findSource(
  deps: { sources: DataSourceRepository },
  named: { workspaceId: string; id: string },
): Promise<StoredDataSource> {
  const source = await deps.sources.get(named.workspaceId, named.id);
  if (!source) throw new AppError('DATA_SOURCE_NOT_FOUND');
  return source;
}
