import { auditedRecords } from '../../../platform/audit/records.ts';
import { AppError } from '../../../platform/errors/app-error.ts';
import type { ErrorCode } from '../../../platform/errors/catalogue.ts';
import { type Collection, collection } from '../../../platform/storage/collection.ts';
import { assertExpected } from '../../../platform/storage/expectation.ts';
import { idFrom } from '../../../platform/storage/ids.ts';
import { withReferences } from '../../../platform/storage/references.ts';
import type { StoredRecord } from '../../../platform/storage/stored-record.ts';
import type { Table, TransactItem } from '../../../platform/storage/table.ts';
import { failedConditions, transact } from '../../../platform/storage/transact.ts';
import { guardingCertification } from '../../tenancy/certifications/index.ts';
import { datasetReferences } from '../../warehouse/datasets/index.ts';
import { sourceReferenceItems } from '../../warehouse/sources/index.ts';
import type { SavedQuery, SavedQueryVersion } from './records.ts';

/** Each version may have nearly 400 KB, the limit of an item; a transaction may have 4 MB. */
const VERSIONS_AT_ONCE = 8;

interface StoredVersion extends SavedQueryVersion, StoredRecord {
  savedQueryId: string;
}

export interface SavedQueryRepository
  extends Pick<Collection<SavedQuery>, 'key' | 'get' | 'getMany' | 'list' | 'listAfter' | 'readAll'> {
  /** Stores a new query with its first version. */
  create(query: SavedQuery): Promise<SavedQuery>;
  /** Replaces the query; also stores a version if its number has increased. */
  replace(previous: SavedQuery, next: SavedQuery): Promise<SavedQuery>;
  /** Removes the query as it was read, with its versions. Throws `stale` if it has changed. */
  remove(query: SavedQuery, stale: ErrorCode, also: TransactItem[]): Promise<void>;
}

export interface VersionRepository {
  /** Newest first. */
  list(query: SavedQuery, page: { limit: number; offset: number }): ReturnType<Collection<StoredVersion>['list']>;
  get(query: SavedQuery, version: number): Promise<StoredVersion | undefined>;
}

export function savedQueryRepository(table: Table): { queries: SavedQueryRepository; versions: VersionRepository } {
  const queries = collection<SavedQuery>(table, {
    entity: 'saved-query',
    versioned: true,
    logs: guardingCertification<SavedQuery>(
      table,
      { type: 'saved-query', meaning: ({ sql, sourceId, datasetIds, params }) => [sql, sourceId, datasetIds, params] },
      auditedRecords<SavedQuery>(table, {
        subject: 'saved_query',
        name: ({ name }) => name,
        members: {
          name: 'shown',
          description: 'shown',
          folder: 'shown',
          sql: 'shown',
          sourceId: 'shown',
          datasetIds: 'shown',
          params: 'shown',
        },
      }),
    ),
  });
  const versions = collection<StoredVersion>(table, {
    entity: 'saved-query-version',
    parent: ({ savedQueryId }) => savedQueryId,
  });
  const versionId = (id: string, version: number) => idFrom('saved-query-version', id, version);
  const versionItems = (query: SavedQuery): TransactItem[] => {
    const { workspaceId, sql, sourceId, datasetIds, params, version, updatedBy, updatedAt } = query;
    const id = versionId(query.id, version);
    const content = { version, sql, sourceId, datasetIds, params };
    return versions.createItems([
      { id, workspaceId, savedQueryId: query.id, ...content, createdBy: updatedBy, createdAt: updatedAt, updatedAt },
    ]);
  };
  const referenceItems = (previous: SavedQuery | null, next: SavedQuery | null): TransactItem[] => {
    const { workspaceId, id } = (next ?? previous)!;
    const referrer = { workspaceId, type: 'saved-query', id } as const;
    const [before, after] = [previous, next].map((query) => (query?.sourceId ? [query.sourceId] : []));
    return [
      ...sourceReferenceItems(table, referrer, before!, after!),
      ...datasetReferences(table).items(referrer, previous?.reads ?? [], next?.reads ?? []),
    ];
  };
  const gone = (next: SavedQuery) => (cause: unknown) =>
    new AppError(next.sourceId === null ? 'DATASET_NOT_FOUND' : 'DATA_SOURCE_NOT_FOUND', { cause });

  /**
   * Old versions are removed first, then the query with the others: after a crash the query still exists and can be
   * deleted again.
   */
  async function remove(query: SavedQuery, stale: ErrorCode, also: TransactItem[]): Promise<void> {
    assertExpected(query.id, query.revision);
    const ids = Array.from({ length: query.version }, (_, i) => versionId(query.id, i + 1));
    while (ids.length > VERSIONS_AT_ONCE) {
      const batch = ids.splice(0, VERSIONS_AT_ONCE);
      const items = versions.removeItems(query.workspaceId, batch, query.id);
      try {
        await transact(table, [asRead(query), ...items]);
      } catch (cause) {
        if (failedConditions(cause).has(0)) throw new AppError(stale, { cause });
        throw cause;
      }
    }
    const last = versions.removeItems(query.workspaceId, ids, query.id, { isAll: true });
    await queries.remove(query, stale, [...last, ...referenceItems(query, null), ...also]);
  }

  const asRead = ({ workspaceId, id, updatedAt }: SavedQuery): TransactItem => ({
    ConditionCheck: {
      TableName: table.name,
      Key: queries.key(workspaceId, id),
      ConditionExpression: 'updatedAt = :seen',
      ExpressionAttributeValues: { ':seen': updatedAt },
    },
  });

  return {
    queries: {
      key: queries.key,
      get: queries.get,
      getMany: queries.getMany,
      list: queries.list,
      readAll: queries.readAll,
      listAfter: queries.listAfter,
      remove,
      create: (query) =>
        withReferences(
          referenceItems(null, query),
          (items) => queries.create(query, [...versionItems(query), ...items]),
          gone(query),
        ),
      replace: (previous, next) =>
        next.version > previous.version
          ? withReferences(
              referenceItems(previous, next),
              (items) => queries.replace(previous, next, 'STALE_WRITE', [...versionItems(next), ...items]),
              gone(next),
            )
          : queries.replace(previous, next, 'STALE_WRITE'),
    },
    versions: {
      list: (query, page) => versions.list(query.workspaceId, page, query.id),
      get: (query, version) => versions.get(query.workspaceId, versionId(query.id, version)),
    },
  };
}
