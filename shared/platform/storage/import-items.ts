import { inParallel } from '../concurrency/in-parallel.ts';
import type { CollectionOptions } from './collection-contract.ts';
import { collectionItems } from './collection-items.ts';
import type { StoredRecord } from './stored-record.ts';
import type { Table, TransactItem } from './table.ts';

/** Logs may read what is stored beside a record; the table may read as many items at once. */
const WIDTH = 100;

export interface ImportedRecord<T> {
  /** Absent if the record is new. */
  before: T | undefined;
  after: T;
}

/**
 * Items that create and replace records of one list, for several transactions of a caller that lets no other one change
 * the list meanwhile. Each key is there once, so records may exchange their unique values.
 */
export async function importItems<T extends StoredRecord>(
  table: Table,
  options: CollectionOptions<T>,
  changes: readonly ImportedRecord<T>[],
): Promise<TransactItem[]> {
  const { claim, release, isRenamed, newItem, count, logs } = collectionItems(table, options);
  const renamed = changes.filter(({ before, after }) => !before || isRenamed(before, after));
  const claimed = renamed.flatMap(({ after }) => claim(after).flatMap(({ Put }) => Put ?? []));
  const names = new Set(claimed.map(({ Item }) => Item!.sk));
  const released = renamed.flatMap(({ before }) => (before ? release(before) : []));
  const items: TransactItem[] = [
    ...claimed.map(({ TableName, Item }) => ({ Put: { TableName, Item } })),
    ...released.filter(({ Delete }) => !names.has(Delete!.Key!.sk)),
  ];
  await inParallel(WIDTH, changes, async ({ before, after }) => {
    const next = before && options.versioned ? { ...after, revision: before.revision! + 1 } : after;
    const { TableName, Item, ...isNew } = newItem(next).Put!;
    const isSame = {
      ConditionExpression: 'updatedAt = :seen',
      ExpressionAttributeValues: { ':seen': before?.updatedAt },
    };
    items.push({ Put: { TableName, Item, ...(before ? isSame : isNew) } }, ...(await logs(before, next)));
  });
  const added = changes.filter(({ before }) => !before);
  return added[0] ? [...items, count(added[0].after, added.length)] : items;
}
