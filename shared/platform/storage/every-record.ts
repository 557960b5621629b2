import type { Key } from './keys.ts';
import { queryItems } from './query-items.ts';
import { readItems } from './read-items.ts';
import { toRecord } from './stored-record.ts';
import { BY_COLLECTION, type Table } from './table.ts';

const READ_AT_ONCE = 100;

/**
 * Every record of a collection of a workspace, the oldest first; a hundred are in memory at a time. Records that are
 * created or deleted meanwhile may be missing, and no other ones.
 */
export async function* everyRecord<T>(table: Table, workspaceId: string, entity: string): AsyncGenerator<T> {
  let keys: Key[] = [];
  const found = queryItems(table, {
    IndexName: BY_COLLECTION,
    KeyConditionExpression: '#collection = :collection',
    ExpressionAttributeNames: { '#collection': 'collection' },
    ExpressionAttributeValues: { ':collection': `W#${workspaceId}#${entity.toUpperCase()}` },
  });
  for await (const { pk, sk } of found) {
    keys.push({ pk: pk as string, sk: sk as string });
    if (keys.length < READ_AT_ONCE) continue;
    yield* inOrder<T>(table, keys);
    keys = [];
  }
  yield* inOrder<T>(table, keys);
}

async function* inOrder<T>(table: Table, keys: readonly Key[]): AsyncGenerator<T> {
  const nameOf = ({ pk, sk }: Key) => JSON.stringify([pk, sk]);
  const items = new Map((await readItems(table, keys)).map((item) => [nameOf(item as unknown as Key), item]));
  for (const key of keys) {
    const item = items.get(nameOf(key));
    if (item) yield toRecord<T>(item);
  }
}
