import type { CollectionOptions } from './collection-contract.ts';
import { type Key, uniqueKey, workspaceKey } from './keys.ts';
import type { StoredRecord } from './stored-record.ts';
import type { Table, TransactItem } from './table.ts';

/** The keys of a collection, and the items of the transactions that change it. */
export function collectionItems<T extends StoredRecord>(table: Table, options: CollectionOptions<T>) {
  const area = options.entity.toUpperCase();
  const key = options.key ?? ((workspaceId: string, id: string) => workspaceKey(workspaceId, area, id));
  const listName = (workspaceId: string, parent?: string) =>
    parent === undefined ? `W#${workspaceId}#${area}` : `W#${workspaceId}#${area}#${parent}`;
  const scope = (workspaceId: string) => `${workspaceId}#${area}`;
  const listOf = (record: T) => listName(record.workspaceId, options.parent?.(record));
  const logs = options.logs ?? (async () => []);

  const toItem = (record: T) => ({
    ...record,
    ...options.attributes?.(record),
    ...key(record.workspaceId, record.id),
    entity: options.entity,
    collection: listOf(record),
    position: `${record.createdAt}#${record.id}`,
  });

  const newItem = (record: T): TransactItem => ({
    Put: { TableName: table.name, Item: toItem(record), ConditionExpression: 'attribute_not_exists(pk)' },
  });

  const count = (record: T, by: number): TransactItem => counting({ pk: listOf(record), sk: '#TOTAL' }, by);

  const counting = (total: Key, by: number): TransactItem => ({
    Update: {
      TableName: table.name,
      Key: total,
      UpdateExpression: 'ADD #count :by',
      ExpressionAttributeNames: { '#count': 'count' },
      ExpressionAttributeValues: { ':by': by },
    },
  });

  const sentinel = (record: T): Key | undefined =>
    options.unique && uniqueKey(scope(record.workspaceId), options.unique.of(record));

  const claim = (record: T): TransactItem[] => {
    const unique = sentinel(record);
    return unique
      ? [
          {
            Put: {
              TableName: table.name,
              Item: { ...unique, entity: 'unique', owner: record.id },
              ConditionExpression: 'attribute_not_exists(pk) OR #owner = :id',
              ExpressionAttributeNames: { '#owner': 'owner' },
              ExpressionAttributeValues: { ':id': record.id },
            },
          },
        ]
      : [];
  };

  const release = (record: T): TransactItem[] => {
    const unique = sentinel(record);
    return unique ? [{ Delete: { TableName: table.name, Key: unique } }] : [];
  };

  function isRenamed(previous: T, next: T): boolean {
    return options.unique !== undefined && options.unique.of(previous) !== options.unique.of(next);
  }

  /** First the record, then its unique value if that has changed. */
  async function replaceItems(previous: T, next: T): Promise<TransactItem[]> {
    const replaced: TransactItem = {
      Put: {
        TableName: table.name,
        Item: toItem(next),
        ConditionExpression: 'updatedAt = :seen',
        ExpressionAttributeValues: { ':seen': previous.updatedAt },
      },
    };
    const moved = isRenamed(previous, next) ? [...claim(next), ...releaseUnlessSame(previous, next)] : [];
    return [replaced, ...moved, ...(await logs(previous, next))];
  }

  /** Two spellings of one name share a sentinel, and a transaction may contain an item only once. */
  function releaseUnlessSame(previous: T, next: T): TransactItem[] {
    return sentinel(previous)?.sk === sentinel(next)?.sk ? [] : release(previous);
  }

  function removal(record: T): TransactItem {
    return {
      Delete: {
        TableName: table.name,
        Key: key(record.workspaceId, record.id),
        ConditionExpression: 'updatedAt = :seen',
        ExpressionAttributeValues: { ':seen': record.updatedAt },
      },
    };
  }

  return {
    key,
    listName,
    scope,
    logs,
    newItem,
    count,
    counting,
    sentinel,
    claim,
    release,
    removal,
    isRenamed,
    replaceItems,
  };
}

export type CollectionItems<T extends StoredRecord> = ReturnType<typeof collectionItems<T>>;
