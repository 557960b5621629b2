import type { Ended } from '../../../shared/domains/access-clean-up/index.ts';
import type { SavedQueryRepository } from '../../../shared/domains/saved-queries/index.ts';
import { onNewest } from '../../../shared/platform/storage/on-newest.ts';
import type { TransactItem } from '../../../shared/platform/storage/table.ts';
import { findSavedQuery } from './find-saved-query.ts';

/** Access that was granted to it ends with it. */
export async function deleteSavedQuery(
  deps: {
    queries: SavedQueryRepository;
    cleanUpItem(ended: Ended): TransactItem;
    cleanUpNow(ended: Ended): Promise<void>;
  },
  named: { workspaceId: string; id: string },
): Promise<void> {
  const ended: Ended = {
    kind: 'object',
    workspaceId: named.workspaceId,
    objectType: 'saved-query',
    objectId: named.id,
  };
  await onNewest('STALE_WRITE', async () =>
    deps.queries.remove(await findSavedQuery(deps, named), 'STALE_WRITE', [deps.cleanUpItem(ended)]),
  );
  await deps.cleanUpNow(ended);
}
