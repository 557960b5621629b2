import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { companyKey, type Key } from '../../../platform/storage/keys.ts';
import { itemsBelow } from '../../../platform/storage/query-items.ts';
import type { Table } from '../../../platform/storage/table.ts';

/** The partition of the due index. */
export const DELETION_PARTITION = 'deletion';

/**
 * The deletion of a workspace, or of its whole company, until everything is erased. It belongs to the company, so that
 * it outlives what it erases.
 */
export interface Deletion {
  companyId: string;
  /** Null for the company. */
  workspaceId: string | null;
  deletesAt: string;
  /** Restoring is possible in the first phase alone; one write decides between it and erasing. */
  phase: 'grace' | 'erasing';
  /** Where the erasing goes on after an interruption. */
  step?: string;
  cursor?: Key;
  /** A workspace that is deleted because its company is. */
  withCompany?: boolean;
}

export const deletionKey = ({ companyId, workspaceId }: Pick<Deletion, 'companyId' | 'workspaceId'>): Key =>
  companyKey(companyId, `DELETION#${workspaceId ?? 'COMPANY'}`);

/** The deletions of the company's workspaces that have not come to their end. */
export async function workspaceDeletions(table: Table, companyId: string): Promise<Deletion[]> {
  const all = await Array.fromAsync(
    itemsBelow(table, companyKey(companyId, 'DELETION#')),
    (item) => item as unknown as Deletion,
  );
  return all.filter(({ workspaceId }) => workspaceId !== null);
}

export async function readDeletion(table: Table, key: Key): Promise<(Deletion & { dueAt: string }) | undefined> {
  const Key = { pk: key.pk, sk: key.sk };
  const found = await table.db.send(new GetCommand({ TableName: table.name, Key, ConsistentRead: true }));
  return found.Item as (Deletion & { dueAt: string }) | undefined;
}
