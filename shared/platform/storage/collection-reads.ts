import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { AppError } from '../errors/app-error.ts';
import { nearest } from '../text/nearest.ts';
import type { CollectionOptions } from './collection-contract.ts';
import type { CollectionItems } from './collection-items.ts';
import { type Key, uniqueKey } from './keys.ts';
import { LatestEntries } from './latest-entries.ts';
import { MAX_SELECTED, MAX_SELECTED_BYTES } from './list-request.ts';
import { fittingItems, jsonBytes } from './page.ts';
import { idAt, newest } from './positions.ts';
import { queryItems } from './query-items.ts';
import { readItems } from './read-items.ts';
import { type StoredRecord, toRecord } from './stored-record.ts';
import type { Table } from './table.ts';

/** The number of unique values whose records are cached. */
const MAX_OWNERS = 10_000;
/** The number of unique values that a misspelled one is compared with. */
const MAX_NEAR = 5_000;

/** The reads of a collection: by id, by unique value, and what its lists are made of. */
export function collectionReads<T extends StoredRecord>(
  table: Table,
  options: CollectionOptions<T>,
  { key, scope, sentinel }: CollectionItems<T>,
) {
  const owners = new LatestEntries<string>(MAX_OWNERS);

  async function get(workspaceId: string, id: string): Promise<T | undefined> {
    const found = await table.db.send(
      new GetCommand({ TableName: table.name, Key: key(workspaceId, id), ConsistentRead: true }),
    );
    return found.Item && toRecord<T>(found.Item);
  }

  async function totalOf(list: string): Promise<number> {
    const found = await table.db.send(
      new GetCommand({ TableName: table.name, Key: { pk: list, sk: '#TOTAL' }, ConsistentRead: true }),
    );
    return (found.Item?.count as number | undefined) ?? 0;
  }

  async function getMany(workspaceId: string, ids: readonly string[]): Promise<T[]> {
    const keys = ids.map((id) => key(workspaceId, id));
    const found = new Map(
      (await readItems(table, keys, { isConsistent: false })).map((item) => [item.id as string, toRecord<T>(item)]),
    );
    return ids.flatMap((id) => found.get(id) ?? []);
  }

  async function findMany(workspaceId: string, uniques: readonly string[]): Promise<T[]> {
    const wanted = new Map(uniques.map((unique) => [uniqueKey(scope(workspaceId), unique).sk, unique]));
    const place = (folded: string) => `${workspaceId}#${folded}`;
    const cached = new Map([...wanted.keys()].map((folded) => [folded, owners.get(place(folded))]));
    const asked = [...wanted].map(([folded, unique]) => {
      const owner = cached.get(folded);
      return owner === undefined ? uniqueKey(scope(workspaceId), unique) : key(workspaceId, owner);
    });
    // Consistent, so that a record created a moment ago is found.
    const items = await readItems(table, distinct(asked));
    const [holders, known] = [true, false].map((is) => items.filter(({ entity }) => (entity === 'unique') === is));
    const ids = new Set(holders!.map(({ owner }) => owner as string));
    const named = await readItems(
      table,
      [...ids].map((id) => key(workspaceId, id)),
    );
    const found = new Map<string, T>();
    for (const record of [...known!, ...named].map((item) => toRecord<T>(item))) {
      const folded = sentinel(record)!.sk;
      if (!wanted.has(folded)) continue;
      found.set(folded, record);
      owners.set(place(folded), record.id);
    }
    // A value that a cached record has lost may belong to another record now.
    const moved = [...wanted].filter(([folded]) => cached.get(folded) !== undefined && !found.has(folded));
    for (const [folded] of moved) owners.delete(place(folded));
    if (moved.length === 0) return [...found.values()];
    return [
      ...found.values(),
      ...(await findMany(
        workspaceId,
        moved.map(([, unique]) => unique),
      )),
    ];
  }

  async function find(workspaceId: string, unique: string): Promise<T | undefined> {
    const holder = await table.db.send(
      new GetCommand({ TableName: table.name, Key: uniqueKey(scope(workspaceId), unique), ConsistentRead: true }),
    );
    return holder.Item && get(workspaceId, holder.Item.owner as string);
  }

  async function findNear(workspaceId: string, misspelled: readonly string[]): Promise<Map<string, T>> {
    const holders = queryItems(
      table,
      {
        KeyConditionExpression: 'pk = :pk',
        ExpressionAttributeValues: { ':pk': uniqueKey(scope(workspaceId), '').pk },
        ExpressionAttributeNames: { '#owner': 'owner' },
        ProjectionExpression: 'sk, #owner',
      },
      MAX_NEAR,
    );
    const known = new Map<string, string>();
    for await (const { sk: folded, owner } of holders) known.set(folded as string, owner as string);
    const near = new Map<string, T>();
    for (const name of misspelled) {
      const found = nearest(uniqueKey(scope(workspaceId), name).sk, known.keys());
      const record = found === undefined ? undefined : await get(workspaceId, known.get(found)!);
      if (record) near.set(name, record);
    }
    return near;
  }

  /** The records to filter, newest first. */
  async function candidates(workspaceId: string, list: string, name: string | undefined): Promise<T[]> {
    if (options.unique && name !== undefined) {
      const holder = await find(workspaceId, name);
      return holder ? [holder] : [];
    }
    if (!options.isHistory && (await totalOf(list)) > MAX_SELECTED) throw new AppError('LIST_TOO_LARGE');
    const positions = await newest(table, list, MAX_SELECTED);
    const records: T[] = [];
    let bytes = 0;
    for (let start = 0; start < positions.length; start += 100) {
      const found = await getMany(workspaceId, positions.slice(start, start + 100).map(idAt));
      bytes += found.reduce((sum, record) => sum + jsonBytes(record), 0);
      if (bytes > MAX_SELECTED_BYTES) {
        if (options.isHistory) break;
        throw new AppError('LIST_TOO_LARGE');
      }
      records.push(...found);
    }
    return records;
  }

  /** The records at the positions, and how many positions fit into a page. */
  async function readPage(workspaceId: string, positions: readonly string[]): Promise<{ items: T[]; fitting: number }> {
    const ids = positions.map(idAt);
    const items = await getMany(workspaceId, ids);
    const first = items[fittingItems(items)];
    if (!first) return { items, fitting: positions.length };
    return { items: items.slice(0, items.indexOf(first)), fitting: ids.indexOf(first.id) };
  }

  return { get, getMany, findMany, find, findNear, totalOf, candidates, readPage };
}

function distinct(keys: readonly Key[]): Key[] {
  return [...new Map(keys.map((each) => [`${each.pk} ${each.sk}`, each])).values()];
}
