import {
  MAX_SECRET_BYTES,
  type Secret,
  type SecretRepository,
  type StoredSecret,
} from '../../../../shared/domains/warehouse/secrets/index.ts';
import type { SecretBox } from '../../../../shared/platform/crypto/secret-box.ts';
import { AppError } from '../../../../shared/platform/errors/app-error.ts';
import { assertNothingExpected } from '../../../../shared/platform/storage/expectation.ts';
import { later } from '../../../../shared/platform/storage/ids.ts';
import type { ListRequest } from '../../../../shared/platform/storage/list-request.ts';
import { onNewest } from '../../../../shared/platform/storage/on-newest.ts';
import type { PageOf } from '../../../../shared/platform/storage/page.ts';
import type { NamedReferrer } from '../../../../shared/platform/storage/referrers.ts';
import type { SecretValue } from './schemas.ts';

const MAX_SECRETS = 100;

interface Deps {
  secrets: SecretRepository;
  box: SecretBox;
  /** The records that refer to a secret, by name. */
  referrers(workspaceId: string, name: string): Promise<NamedReferrer[]>;
  /** Removes a secret as it was read. Throws `STALE_WRITE`, also if something refers to the secret by now. */
  remove(secret: StoredSecret): Promise<void>;
  now(): Date;
}

interface Place {
  workspaceId: string;
  name: string;
}

export async function listSecrets(
  deps: Pick<Deps, 'secrets'>,
  query: ListRequest & { workspaceId: string },
): Promise<PageOf<Secret>> {
  const page = await deps.secrets.list(query.workspaceId, query);
  return { ...page, items: page.items.map(showSecret) };
}

/** Throws `SECRET_NOT_FOUND`. */
export async function getSecret(deps: Pick<Deps, 'secrets'>, place: Place): Promise<Secret> {
  return showSecret(await find(deps, place));
}

/** Encrypts the value before it is stored. Throws `TOO_MANY_SECRETS`, `VALIDATION_FAILED`. */
export async function putSecret(deps: Deps, command: Place & { userId: string; secret: SecretValue }): Promise<Secret> {
  const { workspaceId, name, userId } = command;
  const { value, description } = command.secret;
  rejectInvalidValue(value);
  const sealedValue = await deps.box.seal(workspaceId, value);
  return onNewest('STALE_WRITE', async () => {
    const current = await deps.secrets.get(workspaceId, name);
    if (current) {
      const next = {
        ...current,
        sealedValue,
        description: description === undefined ? current.description : description,
        updatedBy: userId,
        updatedAt: later(current.updatedAt, deps.now()),
      };
      return showSecret(await deps.secrets.replace(current, next, 'STALE_WRITE'));
    }
    assertNothingExpected(name);
    const { total } = await deps.secrets.list(workspaceId, { limit: 1, offset: 0 });
    if (total >= MAX_SECRETS) throw new AppError('TOO_MANY_SECRETS');
    const at = deps.now().toISOString();
    const created = await deps.secrets.create({
      id: name,
      workspaceId,
      description: description ?? null,
      createdBy: userId,
      createdAt: at,
      updatedBy: userId,
      updatedAt: at,
      revision: 1,
      sealedValue,
    });
    // Another request has created the secret in between; the retry replaces its value.
    if (created.sealedValue !== sealedValue) throw new AppError('STALE_WRITE');
    return showSecret(created);
  });
}

/** Throws `SECRET_NOT_FOUND`, `REFERENCED`. */
export function deleteSecret(deps: Deps, place: Place): Promise<void> {
  return onNewest('STALE_WRITE', async () => {
    const current = await find(deps, place);
    const referencedBy = await deps.referrers(place.workspaceId, place.name);
    if (referencedBy.length > 0) throw new AppError('REFERENCED', { members: { referencedBy } });
    await deps.remove(current);
  });
}

async function find({ secrets }: Pick<Deps, 'secrets'>, { workspaceId, name }: Place): Promise<StoredSecret> {
  const secret = await secrets.get(workspaceId, name);
  if (!secret) throw new AppError('SECRET_NOT_FOUND');
  return secret;
}

function rejectInvalidValue(value: string): void {
  const issue = (code: string, message: string) =>
    new AppError('VALIDATION_FAILED', { errors: [{ pointer: '/value', code, message }] });
  // Half of a surrogate pair would be returned as another character.
  if (!value.isWellFormed()) throw issue('PATTERN', 'must be valid Unicode');
  if (Buffer.byteLength(value) > MAX_SECRET_BYTES) throw issue('MAX_LENGTH', 'must have at most 32 KiB');
}

function showSecret(secret: StoredSecret): Secret {
  const { id: name, description, createdBy, createdAt, updatedBy, updatedAt, revision } = secret;
  return { name, description, createdBy, createdAt, updatedBy, updatedAt, revision };
}
