import { AppError } from '../../../shared/platform/errors/app-error.ts';
import { onNewest } from '../../../shared/platform/storage/on-newest.ts';
import type { ApiKeyRepository } from '../repository.ts';

export async function revokeApiKey(
  deps: { keys: ApiKeyRepository },
  command: { workspaceId: string; id: string },
): Promise<void> {
  await onNewest('STALE_WRITE', async () => {
    const key = await deps.keys.get(command.workspaceId, command.id);
    if (!key) throw new AppError('API_KEY_NOT_FOUND');
    await deps.keys.remove(key);
  });
}
