import { onNewest } from '../../../../shared/platform/storage/on-newest.ts';
import type { ApiKeyRepository } from '../repository.ts';
import { findApiKey } from './read-api-keys.ts';

export async function revokeApiKey(
  deps: { keys: ApiKeyRepository },
  command: { workspaceId: string; id: string },
): Promise<void> {
  await onNewest('STALE_WRITE', async () => deps.keys.remove(await findApiKey(deps, command)));
}
