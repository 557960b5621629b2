import { gunzipSync, gzipSync } from 'node:zlib';
import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { AppError } from '../../../platform/errors/app-error.ts';
import { type Collection, collection } from '../../../platform/storage/collection.ts';
import { idFrom, later } from '../../../platform/storage/ids.ts';
import { uniqueKey, workspaceKey } from '../../../platform/storage/keys.ts';
import type { Table, TransactItem } from '../../../platform/storage/table.ts';
import { failedConditions, transact } from '../../../platform/storage/transact.ts';
import type { ObjectKind } from './kinds.ts';
import type { DefinitionRecord } from './records.ts';

/** An item has at most 400 KB. The base of a file that is larger even when compressed is not kept. */
const MAX_BASE_BYTES = 360 * 1024;

/** How a collection stores the objects of a kind. */
export interface StoredObject {
  entity: string;
  /** Whether the parts of an object are items of their own. */
  isInParts?: true;
}

export interface DefinitionRepository extends Pick<Collection<DefinitionRecord>, 'readAll'> {
  get(workspaceId: string, kind: ObjectKind, key: string): Promise<DefinitionRecord | undefined>;
  /** The record of an object. */
  find(workspaceId: string, kind: ObjectKind, objectId: string): Promise<DefinitionRecord | undefined>;
  /** The records of objects, by the ids of those. */
  findMany(workspaceId: string, kind: ObjectKind, objectIds: readonly string[]): Promise<Map<string, DefinitionRecord>>;
  /** Whether the object exists, also for callers who cannot see it. One that can be restored is deleted. */
  hasObject(record: DefinitionRecord, stored: StoredObject): Promise<boolean>;
  /** The file as it was last deployed; undefined if there is none. */
  readBase(record: DefinitionRecord): Promise<string | undefined>;
  /** Stores a new record, with the file as it was deployed. Returns the stored one if the key has a record. */
  create(record: DefinitionRecord, base: string | undefined): Promise<DefinitionRecord>;
  /** Throws `STALE_WRITE` if the record has changed since it was read. */
  replace(previous: DefinitionRecord, next: DefinitionRecord, base: string | undefined): Promise<DefinitionRecord>;
  /**
   * Gives the object of the record another key, whose record is that of a deleted object or none. Throws `STALE_WRITE`
   * if one of them has changed since it was read.
   */
  move(record: DefinitionRecord, next: DefinitionRecord, target: DefinitionRecord | undefined, at: Date): Promise<void>;
  /** Keeps the record of a deleted object without its base. */
  end(record: DefinitionRecord, at: Date): Promise<void>;
}

export const definitionId = (workspaceId: string, kind: ObjectKind, key: string): string =>
  idFrom('definition', workspaceId, kind, key);

const objectName = (kind: string, objectId: string) => `${kind}#${objectId}`;

export function definitionRepository(table: Table): DefinitionRepository {
  const records = collection<DefinitionRecord>(table, {
    entity: 'definition',
    parent: ({ kind }) => kind,
    versioned: true,
    unique: { of: ({ kind, objectId }) => objectName(kind, objectId), taken: 'STALE_WRITE' },
  });
  const baseKey = (record: DefinitionRecord) => workspaceKey(record.workspaceId, 'DEFINITION-BASE', record.id);
  const baseItems = (record: DefinitionRecord, base: string | undefined): TransactItem[] => {
    if (base === undefined) return [];
    const content = gzipSync(base);
    const kept = content.length <= MAX_BASE_BYTES ? { content } : {};
    return [{ Put: { TableName: table.name, Item: { ...baseKey(record), entity: 'definition-base', ...kept } } }];
  };
  async function readBase(record: DefinitionRecord): Promise<string | undefined> {
    const Key = baseKey(record);
    const { Item } = await table.db.send(new GetCommand({ TableName: table.name, Key, ConsistentRead: true }));
    return Item?.content && gunzipSync(Item.content as Uint8Array).toString('utf8');
  }

  return {
    readAll: records.readAll,
    get: (workspaceId, kind, key) => records.get(workspaceId, definitionId(workspaceId, kind, key)),
    find: (workspaceId, kind, objectId) => records.find(workspaceId, objectName(kind, objectId)),

    async findMany(workspaceId, kind, objectIds) {
      const names = objectIds.map((id) => objectName(kind, id));
      const found = await records.findMany(workspaceId, names);
      return new Map(found.map((record) => [record.objectId, record]));
    },

    async hasObject({ workspaceId, objectId }, { entity, isInParts }) {
      const area = entity.toUpperCase();
      const Key = isInParts
        ? workspaceKey(workspaceId, `${area}#${objectId}`, 'META')
        : workspaceKey(workspaceId, area, objectId);
      const { Item } = await table.db.send(
        new GetCommand({ TableName: table.name, Key, ConsistentRead: true, ProjectionExpression: 'sk, deletedAt' }),
      );
      return Item !== undefined && (Item.deletedAt ?? null) === null;
    },

    readBase,

    async move(record, next, target, at) {
      const base = await readBase(record);
      const updatedAt = later(target?.updatedAt ?? record.updatedAt, at);
      const moved: DefinitionRecord = {
        ...next,
        generation: (target?.generation ?? 0) + 1,
        createdAt: target?.createdAt ?? updatedAt,
        updatedAt,
        revision: 1,
      };
      const ended: DefinitionRecord = {
        ...{ ...record, isDeleted: true, movedTo: next.key, updatedAt: later(record.updatedAt, at) },
        // The id of no object: the object has one record.
        objectId: record.id,
      };
      const scope = `${record.workspaceId}#DEFINITION`;
      const owner: TransactItem = {
        Put: {
          TableName: table.name,
          Item: { ...uniqueKey(scope, objectName(record.kind, record.objectId)), entity: 'unique', owner: moved.id },
          ConditionExpression: '#owner = :owner',
          ExpressionAttributeNames: { '#owner': 'owner' },
          ExpressionAttributeValues: { ':owner': record.id },
        },
      };
      // The first item is the record. The object stays claimed, by the record of its new key.
      const [ending] = await records.replaceItems(record, ended);
      const items = [
        ending!,
        ...(target ? (await records.replaceItems(target, moved)).slice(0, 1) : records.createItems([moved])),
        owner,
        { Delete: { TableName: table.name, Key: baseKey(record) } },
        ...baseItems(moved, base),
      ];
      try {
        await transact(table, items);
      } catch (cause) {
        if (failedConditions(cause).size > 0) throw new AppError('STALE_WRITE', { cause });
        throw cause;
      }
    },

    create: (record, base) => records.create(record, baseItems(record, base)),
    replace: (previous, next, base) => records.replace(previous, next, 'STALE_WRITE', baseItems(next, base)),
    async end(record, at) {
      const ended: DefinitionRecord = { ...record, isDeleted: true, updatedAt: later(record.updatedAt, at) };
      const base = { Delete: { TableName: table.name, Key: baseKey(record) } };
      await records.replace(record, ended, 'STALE_WRITE', [base]);
    },
  };
}
