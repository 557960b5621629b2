import { secretDigest } from '../../../../shared/platform/auth/credentials.ts';
import { AppError } from '../../../../shared/platform/errors/app-error.ts';
import { later } from '../../../../shared/platform/storage/ids.ts';
import { onNewest } from '../../../../shared/platform/storage/on-newest.ts';
import type { ApiKeyRepository, PreviousValue, StoredApiKey } from '../repository.ts';
import type { ApiKey, CreatedApiKey, UpdateApiKey } from '../schemas.ts';
import { requireValid } from './check-api-key.ts';
import { findApiKey, withLastUse } from './read-api-keys.ts';

const HOUR_MS = 60 * 60 * 1000;

interface Deps {
  keys: ApiKeyRepository;
  now: () => Date;
}

interface Named {
  workspaceId: string;
  id: string;
}

export async function updateApiKey(deps: Deps, command: Named & { change: UpdateApiKey }): Promise<ApiKey> {
  const { expiresAt, ...change } = command.change;
  return onNewest('STALE_WRITE', async () => {
    const key = await findApiKey(deps, command);
    const now = deps.now();
    const isOfAccount = key.serviceAccountId !== undefined;
    requireValid(command.change, { isOfAccount, validUntil: key.validUntil, now });
    const next = {
      ...key,
      ...change,
      ...(expiresAt === undefined ? {} : { validUntil: expiresAt === null ? null : new Date(expiresAt).toISOString() }),
      previous: stillValid(key.previous, now),
      updatedAt: later(key.updatedAt, now),
    };
    return withLastUse(deps, await deps.keys.replace(key, next));
  });
}

/**
 * Gives the key a new value; the value so far goes on working for the overlap. One from an earlier rotation ends at
 * once. A repeated request gives yet another value, because the first one is lost, and keeps the value that the first
 * request kept.
 */
export async function rotateApiKey(
  deps: Deps & { newKey: () => { value: string; prefix: string } },
  command: Named & { overlapHours: number; rotationId: string; userId: string },
): Promise<CreatedApiKey> {
  const { rotationId, overlapHours, userId } = command;
  return onNewest('STALE_WRITE', async () => {
    const key = await findApiKey(deps, command);
    // Its value would let another admin act under the name of the person.
    if (key.serviceAccountId === undefined && key.createdBy !== userId) throw new AppError('API_KEY_OF_ANOTHER');
    const now = deps.now();
    const { value, prefix } = deps.newKey();
    const until = new Date(now.getTime() + overlapHours * HOUR_MS).toISOString();
    const goesOn = key.rotationId === rotationId ? key.previous : { digest: key.digest, prefix: key.prefix, until };
    const next: StoredApiKey = {
      ...key,
      digest: secretDigest(value),
      prefix,
      previous: stillValid(goesOn, now),
      rotationId,
      updatedAt: later(key.updatedAt, now),
    };
    return { ...(await withLastUse(deps, await deps.keys.replace(key, next))), key: value };
  });
}

const stillValid = (previous: PreviousValue | undefined, now: Date): PreviousValue | undefined =>
  previous && previous.until > now.toISOString() ? previous : undefined;
