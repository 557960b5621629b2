import { itemsBelow } from '../../../../platform/storage/query-items.ts';
import type { Table } from '../../../../platform/storage/table.ts';
import { relationsBelow } from '../keys.ts';
import { COLUMN_RELATIONS, type ColumnRelation } from './csv.ts';

/** As seen from the first term: the other one is broader, related, or its successor. */
export interface StoredRelation {
  id: string;
  relation: ColumnRelation;
  otherId: string;
}

/** All relations of the terms of a workspace, each `related` one from both ends. */
export async function readRelations(table: Table, workspaceId: string): Promise<StoredRelation[]> {
  const items = await Array.fromAsync(itemsBelow(table, relationsBelow(workspaceId)));
  return items.flatMap(({ sk }) => {
    const [id, relation, otherId] = (sk as string).split('#') as [string, ColumnRelation, string];
    return COLUMN_RELATIONS.includes(relation) ? [{ id, relation, otherId }] : [];
  });
}
