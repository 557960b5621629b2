import type { DefinitionRecord } from '../../../../shared/domains/catalog/definitions/index.ts';
import { readLog } from '../../../../shared/domains/tenancy/audit/index.ts';
import type { Table } from '../../../../shared/platform/storage/table.ts';

/** A log may have many entries since the deployment; who has deleted the object is then left out. */
const MAX_READ = 5_000;
const MAX_ENTRIES = 20;

export interface Deletion {
  changedAt: string;
  changedBy: string;
}

/** Who has deleted the object of a record, by its own operation, and when; undefined if the log does not say. */
export async function findDeletion(
  table: Table,
  companyId: string,
  { workspaceId, objectId, applied }: DefinitionRecord,
): Promise<Deletion | undefined> {
  const filter = { from: applied.at, objectId };
  const part = { limit: MAX_ENTRIES, maxRead: MAX_READ };
  const { items } = await readLog(table, { companyId, workspaceId }, filter, part);
  const deletion = items.find(({ action }) => action.endsWith('.deleted'));
  return deletion?.actor.id ? { changedAt: deletion.at, changedBy: deletion.actor.id } : undefined;
}
