import type { StoredApiKey } from '../repository.ts';
import type { ApiKey } from '../schemas.ts';

/** A key as the API shows it: without what it is looked up by. */
export function shown({ digest: _digest, validUntil, ...key }: StoredApiKey): ApiKey {
  return { ...key, expiresAt: validUntil };
}
