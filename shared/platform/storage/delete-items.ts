import type { Key } from './keys.ts';
import type { Table } from './table.ts';
import { transact } from './transact.ts';

/** A transaction has at most 100 items. A batch would be cheaper, but needs a right of its own on the table. */
const PER_REQUEST = 100;

/**
 * Deletes the items without a condition, in the order of the keys. Returns false if some are left once `isOver` is
 * true.
 */
export async function deleteItems(table: Table, keys: readonly Key[], isOver: () => boolean): Promise<boolean> {
  for (let start = 0; start < keys.length; start += PER_REQUEST) {
    if (isOver()) return false;
    const chunk = keys.slice(start, start + PER_REQUEST);
    await transact(
      table,
      chunk.map((Key) => ({ Delete: { TableName: table.name, Key } })),
    );
  }
  return true;
}
