import { BatchGetCommand } from '@aws-sdk/lib-dynamodb';
import type { Key } from './keys.ts';
import type { Table } from './table.ts';

/** The existing items of the keys, in no particular order; a hundred cost one read. The keys must differ. */
export async function readItems(
  table: Table,
  keys: readonly Key[],
  { isConsistent = true }: { isConsistent?: boolean } = {},
): Promise<Record<string, unknown>[]> {
  const items: Record<string, unknown>[] = [];
  for (let start = 0; start < keys.length; start += 100) {
    let wanted = keys.slice(start, start + 100);
    while (wanted.length > 0) {
      const reply = await table.db.send(
        new BatchGetCommand({ RequestItems: { [table.name]: { Keys: wanted, ConsistentRead: isConsistent } } }),
      );
      items.push(...(reply.Responses?.[table.name] ?? []));
      wanted = (reply.UnprocessedKeys?.[table.name]?.Keys ?? []) as Key[];
    }
  }
  return items;
}
