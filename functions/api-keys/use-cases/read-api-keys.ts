import type { ListRequest } from '../../../shared/platform/storage/list-request.ts';
import type { PageOf } from '../../../shared/platform/storage/page.ts';
import type { ApiKeyRepository, StoredApiKey } from '../repository.ts';
import type { ApiKey } from '../schemas.ts';

/** The key as the API returns it, without its digest and membership. */
export function shown({ digest: _digest, membershipId: _membership, validUntil, ...key }: StoredApiKey): ApiKey {
  return { ...key, expiresAt: validUntil, attributes: key.attributes ?? {} };
}

export async function listApiKeys(
  deps: { keys: ApiKeyRepository },
  query: ListRequest & { workspaceId: string },
): Promise<PageOf<ApiKey>> {
  const page = await deps.keys.list(query.workspaceId, query);
  return { ...page, items: page.items.map(shown) };
}
