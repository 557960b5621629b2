import type { QueryDeps } from '../../../../shared/domains/semantics/queries/index.ts';
import type { SavedQuery, SavedQueryRepository } from '../../../../shared/domains/semantics/saved-queries/index.ts';
import { isPermitted } from '../../../../shared/platform/auth/permissions.ts';
import type { Principal } from '../../../../shared/platform/auth/principal.ts';
import { AppError } from '../../../../shared/platform/errors/app-error.ts';
import { later } from '../../../../shared/platform/storage/ids.ts';
import type { CreateSavedQuery, UpdateSavedQuery } from '../schemas.ts';
import { checkContent } from './check-content.ts';

interface Deps extends Pick<QueryDeps, 'datasets' | 'engine' | 'live' | 'rights' | 'now'> {
  queries: SavedQueryRepository;
}

export async function createSavedQuery(
  deps: Deps,
  command: { id: string; principal: Principal; query: CreateSavedQuery },
): Promise<SavedQuery> {
  const { id, principal } = command;
  const { workspaceId, userId } = principal;
  const { name, description, folder, sql, sourceId = null, datasetIds = null, params } = command.query;
  const at = deps.now().toISOString();
  const query: SavedQuery = {
    id,
    workspaceId,
    name,
    description,
    folder,
    sql,
    sourceId,
    datasetIds,
    params,
    reads: [],
    version: 1,
    revision: 1,
    createdBy: userId,
    updatedBy: userId,
    createdAt: at,
    updatedAt: at,
  };
  return deps.queries.create({ ...query, ...(await checkContent(deps, principal, query)) });
}

/** A change that affects the rows adds a version; a change of name, folder or description does not. */
export async function changeSavedQuery(
  deps: Deps,
  command: { query: SavedQuery; principal: Principal; change: UpdateSavedQuery },
): Promise<SavedQuery> {
  const { query, principal, change } = command;
  const changed = { ...query, ...change };
  // A grant on the query is no right to query other sources.
  if (isElsewhere(query, changed) && !isPermitted('query:run', principal)) throw new AppError('FORBIDDEN');
  const isNewContent = CONTENT.some((member) => JSON.stringify(changed[member]) !== JSON.stringify(query[member]));
  return deps.queries.replace(query, {
    ...changed,
    ...(isNewContent ? await checkContent(deps, principal, changed) : {}),
    version: isNewContent ? query.version + 1 : query.version,
    updatedBy: principal.userId,
    updatedAt: later(query.updatedAt, deps.now()),
  });
}

const isElsewhere = (query: SavedQuery, { sourceId, datasetIds }: SavedQuery): boolean =>
  JSON.stringify([query.sourceId, query.datasetIds]) !== JSON.stringify([sourceId, datasetIds]);

const CONTENT = ['sql', 'sourceId', 'datasetIds', 'params'] as const;
