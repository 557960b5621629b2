import type { Attributes } from '../../../shared/domains/tenancy/workspaces/index.ts';
import { auditedRecords } from '../../../shared/platform/audit/records.ts';
import { AppError } from '../../../shared/platform/errors/app-error.ts';
import { type Collection, collection } from '../../../shared/platform/storage/collection.ts';
import { apiKeyDigestKey, workspaceKey } from '../../../shared/platform/storage/keys.ts';
import { readItems } from '../../../shared/platform/storage/read-items.ts';
import { withReferences } from '../../../shared/platform/storage/references.ts';
import type { Table, TransactItem } from '../../../shared/platform/storage/table.ts';
import { updateOf } from '../../../shared/platform/storage/update.ts';
import type { ApiKey } from './schemas.ts';

/** A value of the key that goes on working for a while after a rotation. */
export interface PreviousValue {
  digest: string;
  prefix: string;
  until: string;
}

/** As stored: with the digest by which each request finds the key. `expiresAt` is the table's own attribute. */
export type StoredApiKey = Omit<
  ApiKey,
  'expiresAt' | 'attributes' | 'lastUsedAt' | 'previousUntil' | 'serviceAccountId'
> & {
  attributes: Attributes;
  serviceAccountId?: string | undefined;
  validUntil: string | null;
  digest: string;
  membershipId?: string | undefined;
  previous?: PreviousValue | undefined;
  /** The request that rotated the key last, which may be repeated. */
  rotationId?: string;
};

export interface ApiKeyRepository {
  list: Collection<StoredApiKey>['list'];
  get: Collection<StoredApiKey>['get'];
  /** Throws `SERVICE_ACCOUNT_NOT_FOUND` if the account of the key is gone. */
  create(key: StoredApiKey): Promise<StoredApiKey>;
  /** Changes what the key may do, or its values. Throws `STALE_WRITE`. */
  replace(previous: StoredApiKey, next: StoredApiKey): Promise<StoredApiKey>;
  /** Removes the record and its lookup items together, so that a key either works or is gone. Throws `STALE_WRITE`. */
  remove(key: StoredApiKey): Promise<void>;
  /** When each key was used last, by id. */
  lastUses(keys: readonly StoredApiKey[]): Promise<Map<string, string>>;
}

export function apiKeyRepository(table: Table): ApiKeyRepository {
  const keys = collection<StoredApiKey>(table, {
    entity: 'api-key',
    versioned: true,
    logs: auditedRecords<StoredApiKey>(table, {
      subject: 'api_key',
      name: ({ name }) => name,
      members: {
        name: 'shown',
        scope: 'shown',
        prefix: 'shown',
        validUntil: 'shown',
        attributes: 'shown',
        resources: 'shown',
        serviceAccountId: 'shown',
        previous: ({ prefix, until }) => ({ prefix, until }),
      },
    }),
  });

  /** What a request with the key reads. */
  const accessOf = ({ id, workspaceId, name, scope, createdBy, membershipId, ...key }: StoredApiKey) => ({
    id,
    workspaceId,
    name,
    scope,
    createdBy,
    membershipId,
    serviceAccountId: key.serviceAccountId,
    resources: key.resources,
    validUntil: key.validUntil,
  });

  const putValue = (key: StoredApiKey, lastUsedAt?: string): TransactItem => ({
    Put: {
      TableName: table.name,
      Item: { ...apiKeyDigestKey(key.digest), entity: 'api-key-digest', ...accessOf(key), lastUsedAt },
    },
  });
  const removeValue = (digest: string): TransactItem => ({
    Delete: { TableName: table.name, Key: apiKeyDigestKey(digest) },
  });
  /** The use of a value is recorded beside this, so the item is not written again. */
  const changeValue = (key: StoredApiKey, digest: string, validUntil: string | null): TransactItem => ({
    Update: updateOf(table, apiKeyDigestKey(digest), { set: { ...accessOf(key), validUntil } }, { exists: ['pk'] }),
  });
  const valueItems = (key: StoredApiKey): Map<string, string | null> =>
    new Map([
      [key.digest, key.validUntil],
      ...(key.previous ? [[key.previous.digest, earlier(key.previous.until, key.validUntil)] as const] : []),
    ]);

  const accountExists = ({ workspaceId, serviceAccountId }: StoredApiKey): TransactItem[] =>
    serviceAccountId === undefined
      ? []
      : [
          {
            ConditionCheck: {
              TableName: table.name,
              Key: workspaceKey(workspaceId, 'SERVICE-ACCOUNT', serviceAccountId),
              ConditionExpression: 'attribute_exists(pk)',
            },
          },
        ];

  const repository: ApiKeyRepository = {
    list: keys.list,
    get: keys.get,
    create: (key) =>
      withReferences(
        accountExists(key),
        (items) => keys.create(key, [putValue(key), ...items]),
        (cause) => new AppError('SERVICE_ACCOUNT_NOT_FOUND', { cause }),
      ),
    async replace(previous, next) {
      const [before, after] = [valueItems(previous), valueItems(next)];
      const lastUsedAt = (await repository.lastUses([previous])).get(previous.id);
      return keys.replace(previous, next, 'STALE_WRITE', [
        ...[...before.keys()].filter((digest) => !after.has(digest)).map(removeValue),
        ...[...after].map(([digest, validUntil]) =>
          before.has(digest) ? changeValue(next, digest, validUntil) : putValue(next, lastUsedAt),
        ),
      ]);
    },
    remove: (key) => keys.remove(key, 'STALE_WRITE', [...valueItems(key).keys()].map(removeValue)),
    async lastUses(of) {
      const wanted = of.flatMap((key) => [...valueItems(key).keys()].map(apiKeyDigestKey));
      const latest = new Map<string, string>();
      for (const { id, lastUsedAt } of await readItems(table, wanted)) {
        const known = latest.get(id as string) ?? '';
        if (lastUsedAt !== undefined && (lastUsedAt as string) > known) latest.set(id as string, lastUsedAt as string);
      }
      return latest;
    },
  };
  return repository;
}

/** Null is no end. */
const earlier = (until: string, other: string | null): string => (other !== null && other < until ? other : until);
