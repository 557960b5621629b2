import type { SourceType } from '../../../../shared/data/connectors/source-types.ts';
import type { DataSourceRepository, StoredDataSource } from '../../../../shared/domains/warehouse/sources/index.ts';
import { AppError } from '../../../../shared/platform/errors/app-error.ts';
import type { ListRequest } from '../../../../shared/platform/storage/list-request.ts';
import type { PageOf } from '../../../../shared/platform/storage/page.ts';
import type { DataSource } from '../schemas.ts';

/** A source as the API returns it, without its encrypted secrets. */
export function showDataSource({ sealedSecrets: _sealed, ...source }: StoredDataSource): DataSource {
  return source;
}

export async function findSource(
  deps: { sources: DataSourceRepository },
  named: { workspaceId: string; id: string },
): Promise<StoredDataSource> {
  const source = await deps.sources.get(named.workspaceId, named.id);
  if (!source) throw new AppError('DATA_SOURCE_NOT_FOUND');
  return source;
}

export async function listDataSources(
  deps: { sources: DataSourceRepository },
  { workspaceId, type, ...request }: ListRequest<StoredDataSource> & { workspaceId: string; type?: SourceType },
): Promise<PageOf<DataSource>> {
  const page = await deps.sources.list(workspaceId, { ...request, having: { type } });
  return { ...page, items: page.items.map(showDataSource) };
}
