import { keepingSources, sourceReferenceItems } from '../../shared/data-sources/references.ts';
import { AppError } from '../../shared/errors/app-error.ts';
import { type Collection, collection, type StoredRecord } from '../../shared/storage/collection.ts';
import { idFrom } from '../../shared/storage/ids.ts';
import type { Table, TransactItem } from '../../shared/storage/table.ts';
import type { SavedQuery, SavedQueryVersion } from './schemas.ts';

interface StoredVersion extends SavedQueryVersion, StoredRecord {
  savedQueryId: string;
}

export interface SavedQueryRepository
  extends Pick<Collection<SavedQuery>, 'key' | 'get' | 'list' | 'listAfter' | 'remove'> {
  /** Stores a new query with its first version. */
  create(query: SavedQuery): Promise<SavedQuery>;
  /** Replaces the query; what decides about the rows is kept as a version when its number rose. */
  replace(previous: SavedQuery, next: SavedQuery): Promise<SavedQuery>;
}

export interface VersionRepository {
  /** Newest first. */
  list(query: SavedQuery, page: { limit: number; offset: number }): ReturnType<Collection<StoredVersion>['list']>;
  get(query: SavedQuery, version: number): Promise<StoredVersion | undefined>;
}

export function savedQueryRepository(table: Table): { queries: SavedQueryRepository; versions: VersionRepository } {
  const queries = collection<SavedQuery>(table, { entity: 'saved-query', versioned: true });
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
    const [before, after] = [previous, next].map((query) => (query?.sourceId ? [query.sourceId] : []));
    return sourceReferenceItems(table, { workspaceId, type: 'saved-query', id }, before!, after!);
  };
  const gone = (cause: unknown) => new AppError('DATA_SOURCE_NOT_FOUND', { cause });
  return {
    queries: {
      key: queries.key,
      get: queries.get,
      list: queries.list,
      listAfter: queries.listAfter,
      remove: (query, stale) => queries.remove(query, stale, referenceItems(query, null)),
      create: (query) =>
        keepingSources(
          referenceItems(null, query),
          (items) => queries.create(query, [...versionItems(query), ...items]),
          gone,
        ),
      replace: (previous, next) =>
        next.version > previous.version
          ? keepingSources(
              referenceItems(previous, next),
              (items) => queries.replace(previous, next, 'STALE_WRITE', [...versionItems(next), ...items]),
              gone,
            )
          : queries.replace(previous, next, 'STALE_WRITE'),
    },
    versions: {
      list: (query, page) => versions.list(query.workspaceId, page, query.id),
      get: (query, version) => versions.get(query.workspaceId, versionId(query.id, version)),
    },
  };
}
