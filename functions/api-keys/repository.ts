import type { Attributes } from '../../shared/domains/workspaces/index.ts';
import { auditedRecords } from '../../shared/platform/audit/records.ts';
import { type Collection, collection } from '../../shared/platform/storage/collection.ts';
import { apiKeyDigestKey } from '../../shared/platform/storage/keys.ts';
import type { Table } from '../../shared/platform/storage/table.ts';
import type { ApiKey } from './schemas.ts';

/** As stored: with the digest by which each request finds the key. `expiresAt` is the table's own attribute. */
export type StoredApiKey = Omit<ApiKey, 'expiresAt' | 'attributes'> & {
  /** Absent in keys from before there were attributes. */
  attributes?: Attributes;
  validUntil: string | null;
  digest: string;
  membershipId?: string | undefined;
};

export interface ApiKeyRepository {
  list: Collection<StoredApiKey>['list'];
  get: Collection<StoredApiKey>['get'];
  create(key: StoredApiKey): Promise<StoredApiKey>;
  /** Removes the record and its lookup item together, so that a key either works or is gone. Throws `STALE_WRITE`. */
  remove(key: StoredApiKey): Promise<void>;
}

export function apiKeyRepository(table: Table): ApiKeyRepository {
  const keys = collection<StoredApiKey>(table, {
    entity: 'api-key',
    versioned: true,
    logs: auditedRecords<StoredApiKey>(table, {
      subject: 'api_key',
      name: ({ name }) => name,
      members: { name: 'shown', scope: 'shown', prefix: 'shown', validUntil: 'shown', attributes: 'shown' },
    }),
  });
  return {
    list: keys.list,
    get: keys.get,
    create: (key) =>
      keys.create(key, [
        {
          Put: {
            TableName: table.name,
            Item: {
              ...apiKeyDigestKey(key.digest),
              entity: 'api-key-digest',
              id: key.id,
              workspaceId: key.workspaceId,
              scope: key.scope,
              createdBy: key.createdBy,
              membershipId: key.membershipId,
              validUntil: key.validUntil,
            },
          },
        },
      ]),
    remove: (key) =>
      keys.remove(key, 'STALE_WRITE', [{ Delete: { TableName: table.name, Key: apiKeyDigestKey(key.digest) } }]),
  };
}
