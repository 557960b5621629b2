import { collection } from './collection.ts';
import type { References, ReferrerType } from './references.ts';
import type { StoredRecord } from './stored-record.ts';
import type { Table } from './table.ts';

/** A referrer with the name that users know. */
export interface NamedReferrer {
  type: ReferrerType;
  id: string;
  name: string;
}

/** Lists the referrers of a record, to report why it cannot be deleted. */
export function namedReferrers(table: Table, references: References) {
  const nameOf = async (workspaceId: string, type: ReferrerType, id: string) => {
    const record = await collection<StoredRecord & { name?: string; streamId?: string }>(table, { entity: type }).get(
      workspaceId,
      id,
    );
    return record?.name ?? record?.streamId ?? id;
  };
  return async (workspaceId: string, recordId: string): Promise<NamedReferrer[]> => {
    const found = await references.read(workspaceId, recordId);
    const named = found.map(async ({ type, id }) => ({ type, id, name: await nameOf(workspaceId, type, id) }));
    return Promise.all(named);
  };
}
