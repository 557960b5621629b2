import { AppError } from '../../../../shared/platform/errors/app-error.ts';
import type { ListRequest } from '../../../../shared/platform/storage/list-request.ts';
import type { PageOf } from '../../../../shared/platform/storage/page.ts';
import type { ApiKeyRepository, StoredApiKey } from '../repository.ts';
import type { ApiKey } from '../schemas.ts';

/** The key as the API returns it, without its digests and membership. */
export function showApiKey(
  { digest: _digest, membershipId: _membership, rotationId: _rotation, previous, validUntil, ...key }: StoredApiKey,
  lastUsedAt: string | undefined,
): ApiKey {
  return {
    ...key,
    expiresAt: validUntil,
    serviceAccountId: key.serviceAccountId ?? null,
    lastUsedAt: lastUsedAt ?? null,
    previousUntil: previous?.until ?? null,
  };
}

export async function listApiKeys(
  { keys }: { keys: ApiKeyRepository },
  query: ListRequest & { workspaceId: string },
): Promise<PageOf<ApiKey>> {
  const page = await keys.list(query.workspaceId, query);
  const uses = await keys.lastUses(page.items);
  return { ...page, items: page.items.map((key) => showApiKey(key, uses.get(key.id))) };
}

export async function getApiKey(
  { keys }: { keys: ApiKeyRepository },
  named: { workspaceId: string; id: string },
): Promise<ApiKey> {
  return withLastUse({ keys }, await findApiKey({ keys }, named));
}

export async function withLastUse({ keys }: { keys: ApiKeyRepository }, key: StoredApiKey): Promise<ApiKey> {
  return showApiKey(key, (await keys.lastUses([key])).get(key.id));
}

export async function findApiKey(
  { keys }: { keys: ApiKeyRepository },
  { workspaceId, id }: { workspaceId: string; id: string },
): Promise<StoredApiKey> {
  const key = await keys.get(workspaceId, id);
  if (!key) throw new AppError('API_KEY_NOT_FOUND');
  return key;
}
