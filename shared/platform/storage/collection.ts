import { AppError } from '../errors/app-error.ts';
import type { Collection, CollectionOptions } from './collection-contract.ts';
import { collectionItems } from './collection-items.ts';
import { collectionReads } from './collection-reads.ts';
import { assertExpected, staleCode } from './expectation.ts';
import { isSelective, MAX_OFFSET, selectPage } from './list-request.ts';
import { newest, oldest } from './positions.ts';
import type { StoredRecord } from './stored-record.ts';
import type { Table } from './table.ts';
import { failedConditions, transact } from './transact.ts';

export type { Collection } from './collection-contract.ts';

/** Records of one kind in a workspace, with exact totals and conditional writes. */
export function collection<T extends StoredRecord>(table: Table, options: CollectionOptions<T>): Collection<T> {
  const changes = collectionItems(table, options);
  const { key, listName, newItem, count, counting, claim, release, removal, isRenamed, replaceItems, logs } = changes;
  const { get, getMany, findMany, find, findNear, totalOf, candidates, readPage } = collectionReads(
    table,
    options,
    changes,
  );

  function revised(previous: T, next: T): T {
    return options.versioned ? { ...next, revision: previous.revision! + 1 } : next;
  }

  return {
    key,
    get,
    getMany,
    findMany,

    find,
    findNear,

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
        // What is logged with the change depended on something that has changed in between.
        if ([...failed].some((position) => position < items.length)) throw new AppError(stale, { cause });
        throw cause;
      }
    },

    replaceItems: (previous, next) => replaceItems(previous, revised(previous, next)),

    async remove(record, stale, also = []) {
      assertExpected(record.id, record.revision);
      const items = [removal(record), ...release(record), count(record, -1), ...(await logs(record, undefined))];
      try {
        await transact(table, [...items, ...also]);
      } catch (cause) {
        const failed = failedConditions(cause);
        if (failed.has(0)) throw new AppError(staleCode(record.id, stale), { cause });
        if ([...failed].some((position) => position < items.length)) throw new AppError(stale, { cause });
        throw cause;
      }
    },
  };
}
