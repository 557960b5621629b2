import type {
  SavedQuery,
  SavedQueryRepository,
  SavedQueryVersion,
  VersionRepository,
} from '../../../../shared/domains/semantics/saved-queries/index.ts';
import { AppError } from '../../../../shared/platform/errors/app-error.ts';
import type { PageOf } from '../../../../shared/platform/storage/page.ts';
import type { SavedQueryFilter } from '../schemas.ts';

export async function findSavedQuery(
  deps: { queries: SavedQueryRepository },
  named: { workspaceId: string; id: string },
): Promise<SavedQuery> {
  const query = await deps.queries.get(named.workspaceId, named.id);
  if (!query) throw new AppError('SAVED_QUERY_NOT_FOUND');
  return query;
}

export async function findVersion(
  deps: { versions: VersionRepository },
  query: SavedQuery,
  version: number,
): Promise<SavedQueryVersion> {
  const found = await deps.versions.get(query, version);
  if (!found) throw new AppError('SAVED_QUERY_VERSION_NOT_FOUND');
  return showVersion(found);
}

export function showVersion(stored: SavedQueryVersion): SavedQueryVersion {
  const { version, sql, sourceId, datasetIds, params, createdBy, createdAt } = stored;
  return { version, sql, sourceId, datasetIds, params, createdBy, createdAt };
}

/** Newest first, unless the request has another order. */
export function listSavedQueries(
  deps: { queries: SavedQueryRepository },
  workspaceId: string,
  { folder, search, ...request }: SavedQueryFilter,
): Promise<PageOf<SavedQuery>> {
  if (folder === undefined && search === undefined) return deps.queries.list(workspaceId, request);
  return deps.queries.list(workspaceId, { ...request, matches: (query) => matchesFilter(query, folder, search) });
}

function matchesFilter(query: SavedQuery, folder: string | undefined, search: string | undefined): boolean {
  if (folder !== undefined && query.folder !== folder) return false;
  return search === undefined || query.name.toLowerCase().includes(search.toLowerCase());
}
