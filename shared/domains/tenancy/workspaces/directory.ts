import { BriefCache } from '../../../platform/storage/cache.ts';
import { companyKey, type Key } from '../../../platform/storage/keys.ts';
import { itemsBelow, queryItems } from '../../../platform/storage/query-items.ts';
import type { Table, TransactItem } from '../../../platform/storage/table.ts';
import { directoryKey } from './keys.ts';

type Listed = { id: string; companyId: string; createdAt: string };

/** A list is read again after this time even if its version is the same. */
const TRUST_MS = 60_000;
const CACHED_LISTS = 16;
const caches = new WeakMap<Table, BriefCache<readonly string[]>>();

/**
 * The version of a company's directory: counters of its changes, of which each user has one by the end of the id, so
 * that users who are created at the same time rarely write the same item.
 */
const changesKey = (companyId: string, userId: string): Key => ({
  pk: `${companyKey(companyId, '').pk}#USER-CHANGES`,
  sk: userId.slice(-1),
});

/** Lists the user among those of the company. May be repeated. */
export const listUser = (table: Table, { companyId, createdAt, id }: Listed): TransactItem => ({
  Put: {
    TableName: table.name,
    Item: { ...directoryKey(companyId, createdAt, id), entity: 'listed-user', userId: id },
  },
});

/** Belongs into every transaction that lists a user or removes one from the list. */
export const directoryChanged = (table: Table, { companyId, id }: Pick<Listed, 'id' | 'companyId'>): TransactItem => ({
  Update: {
    TableName: table.name,
    Key: changesKey(companyId, id),
    UpdateExpression: 'ADD changes :one',
    ExpressionAttributeValues: { ':one': 1 },
  },
});

/**
 * The ids of all users of the company in the order in which they were created, without those that were removed. The
 * list is cached with its version, which is read each time: a client that reads a large directory page by page lets it
 * be read once, and never gets an old one.
 */
export async function directoryIds(table: Table, companyId: string): Promise<readonly string[]> {
  let cache = caches.get(table);
  if (!cache) {
    cache = new BriefCache({ ttlMs: TRUST_MS, capacity: CACHED_LISTS });
    caches.set(table, cache);
  }
  // Read before the list: a change in between makes the list newer than its version, and the next reader reads it
  // again.
  const version = await versionOf(table, companyId);
  return cache.get(`${companyId} ${version}`, table.now().getTime(), () => readIds(table, companyId));
}

async function versionOf(table: Table, companyId: string): Promise<string> {
  const counters = itemsBelow(table, { ...changesKey(companyId, ''), sk: '' });
  return (await Array.fromAsync(counters, ({ sk, changes }) => `${sk}${changes}`)).join();
}

function readIds(table: Table, companyId: string): Promise<string[]> {
  const listed = queryItems(table, {
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': directoryKey(companyId, '', '').pk },
    ProjectionExpression: 'userId',
    ConsistentRead: true,
  });
  return Array.fromAsync(listed, ({ userId }) => userId as string);
}
