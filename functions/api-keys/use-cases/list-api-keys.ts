import type { PageOf } from '../../../shared/platform/storage/page.ts';
import type { ApiKeyRepository } from '../repository.ts';
import type { ApiKey } from '../schemas.ts';
import { shown } from './shown.ts';

export async function listApiKeys(
  deps: { keys: ApiKeyRepository },
  query: { workspaceId: string; limit: number; offset: number },
): Promise<PageOf<ApiKey>> {
  const page = await deps.keys.list(query.workspaceId, query);
  return { ...page, items: page.items.map(shown) };
}
