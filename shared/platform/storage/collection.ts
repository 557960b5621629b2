import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { AppError } from '../errors/app-error.ts';
import type { ErrorCode } from '../errors/catalogue.ts';
import { assertExpected, staleCode } from './expectation.ts';
import { type Key, uniqueKey, workspaceKey } from './keys.ts';
import { LatestEntries } from './latest-entries.ts';
import { isSelective, type ListRequest, MAX_SELECTED, MAX_SELECTED_BYTES, selectPage } from './list-request.ts';
import { fittingItems, jsonBytes, type PageOf } from './page.ts';
import { queryItems } from './query-items.ts';
import { readItems } from './read-items.ts';
import { BY_COLLECTION, type Table, type TransactItem } from './table.ts';
import { transact } from './transact.ts';

/** The attributes that the table adds to a record; they are internal to this layer. */
const STORAGE_ATTRIBUTES = ['pk', 'sk', 'entity', 'collection', 'position', 'due', 'dueAt', 'expiresAt'] as const;

/** The number of unique values whose records are cached. */
const MAX_OWNERS = 10_000;

/** Lists are read from their start up to the requested page. */
export const MAX_OFFSET = 10_000;

export interface StoredRecord {
  id: string;
  workspaceId: string;
  createdAt: string;
  updatedAt: string;
  /** In a versioned collection: 1 when created, incremented with every change. */
  revision?: number;
}

interface CollectionOptions<T> {
  /** The name of the collection in keys, such as `webhook`. */
  entity: string;
  /** A list within the workspace, such as the runs of one pipeline; the whole workspace when absent. */
  parent?: (record: T) => string;
  /** A value that is unique within the workspace, and the error code for a duplicate. */
  unique?: { of: (record: T) => string; taken: ErrorCode };
  /**
   * The key of a record that has a partition of its own, such as a run with its steps; a key in the collection's
   * partition when absent.
   */
  key?: (workspaceId: string, id: string) => Key;
  /** Counts the changes of each record in `revision`, so that clients can refer to the state that they have read. */
  versioned?: true;
  /** A list without end, such as the runs of a pipeline: filters look at its newest `MAX_SELECTED` records. */
  isHistory?: true;
  /** Further attributes for the item, such as `due` and `dueAt`. */
  attributes?: (record: T) => Record<string, unknown>;
  /** Further items for the transaction that creates (no `before`), replaces or removes (no `after`) a record. */
  logs?: (before: T | undefined, after: T | undefined) => Promise<TransactItem[]>;
}

export interface Collection<T extends StoredRecord> {
  key(workspaceId: string, id: string): Key;
  get(workspaceId: string, id: string): Promise<T | undefined>;
  getMany(workspaceId: string, ids: readonly string[]): Promise<T[]>;
  /** The record with the unique value, ignoring case as uniqueness does. */
  find(workspaceId: string, unique: string): Promise<T | undefined>;
  /**
   * The records with any of the values, in no particular order; a hundred values cost one additional read. Owners of
   * values are cached: a cached record that still has the value owns it, so reading the record suffices.
   */
  findMany(workspaceId: string, uniques: readonly string[]): Promise<T[]>;
  /** All records, newest first. Throws `LIST_TOO_LARGE` like `list`. */
  readAll(workspaceId: string, parent?: string): Promise<T[]>;
  /**
   * Newest first, or as requested. In order of creation it reads the keys of `offset + limit` records and the bodies of
   * `limit`. By a unique name it reads one record. Other filters and orders read all records, and throw
   * `LIST_TOO_LARGE` if there are more than `MAX_SELECTED` or `MAX_SELECTED_BYTES`, or in a history read the newest of
   * them. A page that would be too large ends earlier and has a lower `limit`.
   */
  list(workspaceId: string, request: ListRequest<T>, parent?: string): Promise<PageOf<T>>;
  /**
   * Newest first, continuing after the end of the previous page. Records created since then sort before that place, so
   * no page repeats or misses a record. `last` is the place where this page ends; undefined at the end of the list.
   */
  listAfter(
    workspaceId: string,
    page: { limit: number; after?: string | undefined },
    parent?: string,
  ): Promise<{ items: T[]; total: number; last: string | undefined }>;
  /**
   * Stores a new record. A repeated call with the same id returns the stored record, so that a request that crashed
   * after its write can be retried. Throws the `taken` code if another record has the unique value.
   */
  create(record: T, also?: TransactItem[]): Promise<T>;
  /** Items for a transaction that stores new records of one list, at most 99: first each record, then the total. */
  createItems(records: readonly T[]): TransactItem[];
  /** Items for a transaction that removes records of one list; `isAll` means that the list becomes empty. */
  removeItems(workspaceId: string, ids: readonly string[], parent?: string, options?: { isAll?: true }): TransactItem[];
  /**
   * Replaces the record if it has not changed since it was read, and returns it as stored, with its new revision.
   * Throws `stale` otherwise, and `PRECONDITION_FAILED` if the client expects another revision (`If-Match`).
   * `updatedAt` must increase.
   */
  replace(previous: T, next: T, stale: ErrorCode, also?: TransactItem[]): Promise<T>;
  /**
   * Items for the transaction of another write that also replaces this record: it fails if the record has changed, or if another one
   * has its unique value.
   */
  replaceItems(previous: T, next: T): Promise<TransactItem[]>;
  /** Removes the record if it has not changed since it was read; throws the same errors as `replace`. */
  remove(record: T, stale: ErrorCode, also?: TransactItem[]): Promise<void>;
}

/** Records of one kind in a workspace, with exact totals and conditional writes. */
export function collection<T extends StoredRecord>(table: Table, options: CollectionOptions<T>): Collection<T> {
  const area = options.entity.toUpperCase();
  const key = options.key ?? ((workspaceId: string, id: string) => workspaceKey(workspaceId, area, id));
  const listName = (workspaceId: string, parent?: string) =>
    parent === undefined ? `W#${workspaceId}#${area}` : `W#${workspaceId}#${area}#${parent}`;
  const scope = (workspaceId: string) => `${workspaceId}#${area}`;
  const owners = new LatestEntries<string>(MAX_OWNERS);
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

  /** Records that were stored before the collection was versioned have revision 1. */
  const read = (item: Record<string, unknown>): T => toRecord<T>(options.versioned ? { revision: 1, ...item } : item);

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

  async function get(workspaceId: string, id: string): Promise<T | undefined> {
    const found = await table.db.send(
      new GetCommand({ TableName: table.name, Key: key(workspaceId, id), ConsistentRead: true }),
    );
    return found.Item && read(found.Item);
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
      (await readItems(table, keys, { isConsistent: false })).map((item) => [item.id as string, read(item)]),
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
    for (const record of [...known!, ...named].map(read)) {
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

  return {
    key,
    get,
    getMany,
    findMany,

    find,

    readAll: (workspaceId, parent) => candidates(workspaceId, listName(workspaceId, parent), undefined),

    async list(workspaceId, request, parent) {
      const { limit, offset, sort } = request;
      if (offset > MAX_OFFSET) throw new AppError('OFFSET_TOO_LARGE');
      const list = listName(workspaceId, parent);
      if (isSelective(request)) return selectPage(await candidates(workspaceId, list, request.name), request);
      const order = sort === 'createdAt' ? oldest : newest;
      const [positions, total] = await Promise.all([order(table, list, offset + limit), totalOf(list)]);
      const wanted = positions.slice(offset, offset + limit);
      const { items, fitting } = await readPage(workspaceId, wanted);
      return { items, total, limit: fitting < wanted.length ? fitting : limit, offset };
    },

    async listAfter(workspaceId, { limit, after }, parent) {
      const name = listName(workspaceId, parent);
      const [positions, total] = await Promise.all([newest(table, name, limit + 1, after), totalOf(name)]);
      const { items, fitting } = await readPage(workspaceId, positions.slice(0, limit));
      return { items, total, last: positions.length > fitting ? positions[fitting - 1] : undefined };
    },

    createItems(records) {
      const [first] = records;
      if (!first) return [];
      return [...records.map(newItem), count(first, records.length)];
    },

    removeItems(workspaceId, ids, parent, { isAll } = {}) {
      const total = { pk: listName(workspaceId, parent), sk: '#TOTAL' };
      return [
        ...ids.map((id) => ({ Delete: { TableName: table.name, Key: key(workspaceId, id) } })),
        isAll ? { Delete: { TableName: table.name, Key: total } } : counting(total, -ids.length),
      ];
    },

    async create(record, also = []) {
      const logged = await logs(undefined, record);
      try {
        await transact(table, [newItem(record), ...claim(record), count(record, 1), ...logged, ...also]);
        return record;
      } catch (cause) {
        const failed = failedConditions(cause);
        if (failed.has(0)) {
          const stored = await get(record.workspaceId, record.id);
          if (stored) return stored;
        }
        if (options.unique && failed.has(1)) throw new AppError(options.unique.taken, { cause });
        throw cause;
      }
    },

    async replace(previous, changed, stale, also = []) {
      assertExpected(previous.id, previous.revision);
      const next = revised(previous, changed);
      const items = await replaceItems(previous, next);
      try {
        await transact(table, [...items, ...also]);
        return next;
      } catch (cause) {
        const failed = failedConditions(cause);
        if (failed.has(0)) throw new AppError(staleCode(previous.id, stale), { cause });
        if (options.unique && isRenamed(previous, next) && failed.has(1))
          throw new AppError(options.unique.taken, { cause });
        throw cause;
      }
    },

    replaceItems: (previous, next) => replaceItems(previous, revised(previous, next)),

    async remove(record, stale, also = []) {
      assertExpected(record.id, record.revision);
      const logged = await logs(record, undefined);
      try {
        await transact(table, [
          {
            Delete: {
              TableName: table.name,
              Key: key(record.workspaceId, record.id),
              ConditionExpression: 'updatedAt = :seen',
              ExpressionAttributeValues: { ':seen': record.updatedAt },
            },
          },
          ...release(record),
          count(record, -1),
          ...logged,
          ...also,
        ]);
      } catch (cause) {
        if (failedConditions(cause).has(0)) throw new AppError(staleCode(record.id, stale), { cause });
        throw cause;
      }
    },
  };

  function revised(previous: T, next: T): T {
    return options.versioned ? { ...next, revision: previous.revision! + 1 } : next;
  }

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
}

/** Returns an item without the attributes that only the table needs. */
export function toRecord<T>(item: Record<string, unknown>): T {
  const record = { ...item };
  for (const name of STORAGE_ATTRIBUTES) delete record[name];
  return record as T;
}

/** Positions in the transaction whose conditions failed; empty when `cause` is another failure. */
export function failedConditions(cause: unknown): Set<number> {
  if (!(cause instanceof TransactionCanceledException)) return new Set();
  return new Set(
    (cause.CancellationReasons ?? []).flatMap((reason, index) =>
      reason.Code === 'ConditionalCheckFailed' ? [index] : [],
    ),
  );
}

function distinct(keys: readonly Key[]): Key[] {
  return [...new Map(keys.map((each) => [`${each.pk} ${each.sk}`, each])).values()];
}

/** A position is the creation time (24 characters), `#` and the id. */
function idAt(position: string): string {
  return position.slice(25);
}

/** Positions in a list, newest first, at most `atMost` of those before `before`. */
function newest(table: Table, list: string, atMost: number, before?: string): Promise<string[]> {
  return positionsOf(table, list, atMost, false, before);
}

/** The same, oldest first. */
function oldest(table: Table, list: string, atMost: number): Promise<string[]> {
  return positionsOf(table, list, atMost, true);
}

async function positionsOf(
  table: Table,
  list: string,
  atMost: number,
  isForward: boolean,
  before?: string,
): Promise<string[]> {
  const items = queryItems(
    table,
    {
      IndexName: BY_COLLECTION,
      KeyConditionExpression:
        before === undefined ? '#collection = :collection' : '#collection = :collection AND #position < :before',
      ExpressionAttributeNames: {
        '#collection': 'collection',
        ...(before === undefined ? {} : { '#position': 'position' }),
      },
      ExpressionAttributeValues: { ':collection': list, ...(before === undefined ? {} : { ':before': before }) },
      ScanIndexForward: isForward,
    },
    atMost,
  );
  return Array.fromAsync(items, ({ position }) => position as string);
}
