import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb';
import type { Key } from './keys.ts';
import type { Table } from './table.ts';

/** A request deletes at most 25 items. */
const PER_REQUEST = 25;

/**
 * Deletes the items without a condition, in the order of the keys. Returns false if some are left: because the table took
 * no more, or once `isOver` is true.
 */
export async function deleteItems(table: Table, keys: readonly Key[], isOver: () => boolean): Promise<boolean> {
  for (let start = 0; start < keys.length; start += PER_REQUEST) {
    if (isOver()) return false;
    const deletions = keys.slice(start, start + PER_REQUEST).map((Key) => ({ DeleteRequest: { Key } }));
    const reply = await table.db.send(new BatchWriteCommand({ RequestItems: { [table.name]: deletions } }));
    if (Object.keys(reply.UnprocessedItems ?? {}).length > 0) return false;
  }
  return true;
}
