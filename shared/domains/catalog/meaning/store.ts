import { randomUUID } from 'node:crypto';
import { GetCommand } from '@aws-sdk/lib-dynamodb';
import type { ObjectStore } from '../../../platform/objects/object-store.ts';
import { type Key, workspaceKey } from '../../../platform/storage/keys.ts';
import { toRecord } from '../../../platform/storage/stored-record.ts';
import type { Table, TransactItem } from '../../../platform/storage/table.ts';
import { transact } from '../../../platform/storage/transact.ts';
import { decodeVectors, encodeVectors, type Vectors } from './vectors.ts';

/** Where the vectors of a workspace are, and whether they can be used. */
export interface VectorState {
  workspaceId: string;
  /** Which model made them. */
  model: string;
  /** Vectors are used once all texts had one; an `unsuitable` model does not tell texts of different meaning apart. */
  status: 'building' | 'ready' | 'unsuitable';
  /** How close a query must be to a text; null before the model is checked. */
  threshold: number | null;
  /** Where they are in the bucket; null if there are none. Each set is an object of its own, which never changes. */
  object: string | null;
  /** No other job begins before; null after one that has completed its work. */
  retryAt: string | null;
  revision: number;
}

export interface VectorStore {
  readState(workspaceId: string): Promise<VectorState | undefined>;
  /** None if the state has no object, or if it was removed: they are made again. */
  readVectors(state: Pick<VectorState, 'object'> | undefined): Promise<Vectors>;
  /** Stores a set beside those that exist, and returns where it is; a state makes it the current one. */
  writeVectors(workspaceId: string, vectors: Vectors): Promise<string>;
  /** Fails if the state has changed since it was read, or if an item of the transaction fails. */
  replaceState(
    before: VectorState | undefined,
    next: Omit<VectorState, 'revision'>,
    also: TransactItem[],
  ): Promise<VectorState>;
  /** Fails as `replaceState` does. */
  removeState(state: VectorState, also: TransactItem[]): Promise<void>;
  /** Removes all sets but the current one, also those whose job died before it made them current. */
  removeOthers(workspaceId: string, current: string | null): Promise<void>;
}

const stateKey = (workspaceId: string): Key => workspaceKey(workspaceId, 'SEARCH-VECTORS', 'STATE');
const prefixOf = (workspaceId: string): string => `W/${workspaceId}/search/`;

export function vectorStore(table: Table, objects: ObjectStore): VectorStore {
  return {
    async readState(workspaceId) {
      const Key = stateKey(workspaceId);
      const { Item } = await table.db.send(new GetCommand({ TableName: table.name, Key, ConsistentRead: true }));
      return Item && toRecord<VectorState>(Item);
    },

    async readVectors(state) {
      const key = state?.object;
      return key && (await objects.find(key)) ? decodeVectors(await objects.read(key)) : new Map();
    },

    async writeVectors(workspaceId, vectors) {
      const key = `${prefixOf(workspaceId)}${randomUUID()}.vectors`;
      await objects.write(key, encodeVectors(vectors), 'application/octet-stream');
      return key;
    },

    async replaceState(before, next, also) {
      const stored = { ...next, revision: (before?.revision ?? 0) + 1 };
      const condition = before
        ? { ConditionExpression: 'revision = :seen', ExpressionAttributeValues: { ':seen': before.revision } }
        : { ConditionExpression: 'attribute_not_exists(pk)' };
      const Item = { ...stored, ...stateKey(next.workspaceId), entity: 'search-vectors' };
      await transact(table, [{ Put: { TableName: table.name, Item, ...condition } }, ...also]);
      return stored;
    },

    async removeState({ workspaceId, revision }, also) {
      const remove = {
        TableName: table.name,
        Key: stateKey(workspaceId),
        ConditionExpression: 'revision = :seen',
        ExpressionAttributeValues: { ':seen': revision },
      };
      await transact(table, [{ Delete: remove }, ...also]);
    },

    async removeOthers(workspaceId, current) {
      const found = await objects.list(prefixOf(workspaceId));
      await objects.remove(found.map(({ key }) => key).filter((key) => key !== current));
    },
  };
}
