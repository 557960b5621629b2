import { readReferrers } from '../../shared/data-sources/references.ts';
import { collection, type StoredRecord } from '../../shared/storage/collection.ts';
import type { ReferrerType } from '../../shared/storage/references.ts';
import type { Table } from '../../shared/storage/table.ts';
import type { FindReferrers } from './use-cases/delete-data-source.ts';

/** What refers to a source, with the names that people know it by. */
export function sourceReferrers(table: Table): FindReferrers {
  const nameOf = async (workspaceId: string, type: ReferrerType, id: string) => {
    const record = await collection<StoredRecord & { name?: string; streamId?: string }>(table, { entity: type }).get(
      workspaceId,
      id,
    );
    return record?.name ?? record?.streamId ?? id;
  };
  return async (workspaceId, sourceId) => {
    const found = await readReferrers(table, workspaceId, sourceId);
    const shown = found.map(async ({ type, id }) => ({ type, id, name: await nameOf(workspaceId, type, id) }));
    return Promise.all(shown);
  };
}
