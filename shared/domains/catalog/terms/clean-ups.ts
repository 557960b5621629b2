import type { CleanUp } from '../../../platform/storage/clean-ups.ts';
import { deleteItems } from '../../../platform/storage/delete-items.ts';
import type { Key } from '../../../platform/storage/keys.ts';
import { itemsBelow } from '../../../platform/storage/query-items.ts';
import { purgeAt } from '../../boards/dashboards/index.ts';
import { deletedTerms } from './deleted-terms.ts';
import { termItemKey, termOfObjectKey } from './keys.ts';
import { termRepository } from './repository.ts';

/** A term that was deleted 30 days ago. Its relations have ended before; its links and proposals are left. */
export interface EndedTerm {
  [member: string]: string | undefined;
  kind: 'term';
  workspaceId: string;
  termId: string;
}

export const termCleanUps: readonly [CleanUp<EndedTerm>] = [
  {
    kind: 'term',
    async remove(table, { workspaceId, termId }, isOver) {
      if (await termRepository(table).get(workspaceId, termId)) return true;
      const deleted = deletedTerms(table);
      const term = await deleted.get(workspaceId, termId);
      if (term) {
        if (purgeAt(term.updatedAt) > table.now()) return false;
        await deleted.purge(term);
      }
      const items = await Array.fromAsync(itemsBelow(table, termItemKey({ workspaceId, id: termId }, '')));
      const keys = items.map(({ pk, sk }) => ({ pk, sk }) as Key);
      const ofObjects = items.flatMap(({ type, objectId }) =>
        typeof objectId === 'string' ? [termOfObjectKey(workspaceId, String(type), objectId, termId)] : [],
      );
      return deleteItems(table, [...ofObjects, ...keys], isOver);
    },
  },
];
