import { type Attributes, attributeIssues } from '../../../shared/domains/workspaces/index.ts';
import { secretDigest } from '../../../shared/platform/auth/credentials.ts';
import type { KeyScope } from '../../../shared/platform/auth/permissions.ts';
import { AppError } from '../../../shared/platform/errors/app-error.ts';
import type { ApiKeyRepository, StoredApiKey } from '../repository.ts';
import type { CreatedApiKey } from '../schemas.ts';
import { shown } from './read-api-keys.ts';

interface Command {
  workspaceId: string;
  createdBy: string;
  membershipId: string | undefined;
  id: string;
  name: string;
  scope: KeyScope;
  expiresAt?: string;
  attributes: Attributes;
}

export async function createApiKey(
  deps: { keys: ApiKeyRepository; now: () => Date; newKey: () => { value: string; prefix: string } },
  command: Command,
): Promise<CreatedApiKey> {
  const now = deps.now();
  const expiresAt = command.expiresAt ? new Date(command.expiresAt) : null;
  const errors = attributeIssues(command.attributes);
  if (expiresAt && expiresAt <= now)
    errors.push({ pointer: '/expiresAt', code: 'IN_THE_PAST', message: 'must be in the future' });
  if (errors.length > 0) throw new AppError('VALIDATION_FAILED', { errors });
  const { value, prefix } = deps.newKey();
  const next: StoredApiKey = {
    id: command.id,
    workspaceId: command.workspaceId,
    name: command.name,
    scope: command.scope,
    prefix,
    attributes: command.attributes,
    validUntil: expiresAt?.toISOString() ?? null,
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
  return { ...shown(key), key: value };
}
