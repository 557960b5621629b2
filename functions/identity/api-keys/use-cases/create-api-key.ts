import type { Attributes } from '../../../../shared/domains/tenancy/workspaces/index.ts';
import { secretDigest } from '../../../../shared/platform/auth/credentials.ts';
import type { KeyScope } from '../../../../shared/platform/auth/permissions.ts';
import { AppError } from '../../../../shared/platform/errors/app-error.ts';
import type { ApiKeyRepository, StoredApiKey } from '../repository.ts';
import type { ApiKey, CreatedApiKey } from '../schemas.ts';
import { requireValid } from './check-api-key.ts';
import { showApiKey } from './read-api-keys.ts';

interface Command {
  workspaceId: string;
  createdBy: string;
  membershipId: string | undefined;
  id: string;
  name: string;
  scope: KeyScope;
  expiresAt?: string;
  attributes: Attributes;
  resources?: ApiKey['resources'];
  serviceAccountId?: string;
}

const MAX_API_KEYS = 500;

export async function createApiKey(
  deps: { keys: ApiKeyRepository; now: () => Date; newKey: () => { value: string; prefix: string } },
  command: Command,
): Promise<CreatedApiKey> {
  const now = deps.now();
  const expiresAt = command.expiresAt ? new Date(command.expiresAt) : null;
  requireValid(command, { isOfAccount: command.serviceAccountId !== undefined, now });
  await requireRoom(deps.keys, command);
  const { value, prefix } = deps.newKey();
  const next: StoredApiKey = {
    id: command.id,
    workspaceId: command.workspaceId,
    name: command.name,
    scope: command.scope,
    prefix,
    attributes: command.attributes,
    validUntil: expiresAt?.toISOString() ?? null,
    resources: command.resources ?? null,
    serviceAccountId: command.serviceAccountId,
    createdBy: command.createdBy,
    membershipId: command.membershipId,
    createdAt: now.toISOString(),
    updatedAt: now.toISOString(),
    revision: 1,
    digest: secretDigest(value),
  };
  let key = await deps.keys.create(next);
  if (key.digest !== next.digest) {
    // An earlier try of this request crashed before its reply was stored. The value of its key is lost, so a new key
    // replaces it.
    await deps.keys.remove(key);
    key = await deps.keys.create(next);
  }
  return { ...showApiKey(key, undefined), key: value };
}

/** A repeated request finds the key that it has created, also in a full workspace. */
async function requireRoom(keys: ApiKeyRepository, { workspaceId, id }: Command): Promise<void> {
  const { total } = await keys.list(workspaceId, { limit: 1, offset: 0 });
  if (total >= MAX_API_KEYS && !(await keys.get(workspaceId, id))) throw new AppError('TOO_MANY_API_KEYS');
}
