import type { SavedQueryRepository } from '../../../../shared/domains/semantics/saved-queries/index.ts';
import type { EndedObject } from '../../../../shared/domains/tenancy/grants/index.ts';
import type { DeleteUnused } from '../../../../shared/domains/upkeep/referrers/index.ts';
import type { Principal } from '../../../../shared/platform/auth/principal.ts';
import type { Ended } from '../../../../shared/platform/storage/clean-ups.ts';
import type { TransactItem } from '../../../../shared/platform/storage/table.ts';
import { findSavedQuery } from './find-saved-query.ts';

/**
 * Access that was granted to it ends with it. Throws `SAVED_QUERY_NOT_FOUND`, or `REFERENCED` with what uses it, as far
 * as the caller may see that.
 */
export async function deleteSavedQuery(
  deps: {
    queries: SavedQueryRepository;
    deleteUnused: DeleteUnused;
    cleanUpItem(ended: Ended): TransactItem;
    cleanUpNow(ended: Ended): Promise<void>;
  },
  { principal, id }: { principal: Principal; id: string },
): Promise<void> {
  const named = { workspaceId: principal.workspaceId, id };
  const ended: EndedObject = {
    kind: 'object',
    workspaceId: named.workspaceId,
    objectType: 'saved-query',
    objectId: named.id,
  };
  await deps.deleteUnused(
    { principal, id },
    () => findSavedQuery(deps, named),
    (query, free) => deps.queries.remove(query, 'STALE_WRITE', [deps.cleanUpItem(ended), ...free]),
  );
  await deps.cleanUpNow(ended);
}
