import type { DataSourceRepository } from '../../../shared/domains/sources/repository.ts';
import type { PageOf } from '../../../shared/platform/storage/page.ts';
import type { DataSource } from '../schemas.ts';
import { shown } from './shown.ts';

export async function listDataSources(
  deps: { sources: DataSourceRepository },
  query: { workspaceId: string; limit: number; offset: number },
): Promise<PageOf<DataSource>> {
  const page = await deps.sources.list(query.workspaceId, query);
  return { ...page, items: page.items.map(shown) };
}
