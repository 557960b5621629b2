import type { SavedQueryRepository } from '../../../../shared/domains/semantics/saved-queries/index.ts';
import { type ObjectGrants, objectAccess } from '../../../../shared/domains/tenancy/grants/index.ts';
import type { Cursors } from '../../../../shared/platform/http/cursor.ts';
import type { Access } from '../schemas.ts';
import { findSavedQuery } from '../use-cases/find-saved-query.ts';

interface Deps {
  queries: SavedQueryRepository;
  grants: ObjectGrants;
  cursors: Cursors;
  now: () => Date;
}

/** Access to saved queries. */
export const savedQueryAccess = (deps: Deps) =>
  objectAccess<Access>(deps, async (named) => {
    const { workspaceId, id, name } = await findSavedQuery(deps, named);
    return {
      workspaceId,
      type: 'saved-query',
      id,
      name,
      key: deps.queries.key(workspaceId, id),
      notFound: 'SAVED_QUERY_NOT_FOUND',
    };
  });
