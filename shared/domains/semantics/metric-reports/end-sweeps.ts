import type { CleanUp } from '../../../platform/storage/clean-ups.ts';
import { deleteItems } from '../../../platform/storage/delete-items.ts';
import { workspaceKey } from '../../../platform/storage/keys.ts';
import { itemsBelow } from '../../../platform/storage/query-items.ts';
import type { EndedObject } from '../../tenancy/grants/index.ts';

/** What the checks have found ends with their metric. */
export const sweepCleanUps: readonly [CleanUp<EndedObject>] = [
  {
    kind: 'object',
    remove: async (table, { workspaceId, objectType, objectId }, isOver) => {
      if (objectType !== 'metric') return true;
      const items = itemsBelow(table, workspaceKey(workspaceId, `METRIC#${objectId}`, ''));
      const keys = await Array.fromAsync(items, ({ pk, sk }) => ({ pk: pk as string, sk: sk as string }));
      return deleteItems(table, keys, isOver);
    },
  },
];
