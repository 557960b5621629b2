import { createHash } from 'node:crypto';
import { BatchGetCommand, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import type { ObjectStore } from '../../../platform/objects/object-store.ts';
import { LatestEntries } from '../../../platform/storage/latest-entries.ts';
import type { Table } from '../../../platform/storage/table.ts';
import type { Dag } from '../definition/index.ts';
import { dagKey } from './run-keys.ts';

/** Larger definitions are stored in the bucket; an item holds at most 400 KB. */
const MAX_INLINE_BYTES = 64 * 1024;
const MAX_CACHED_CHARACTERS = 16 * 1024 * 1024;

/** Definitions by the hash of their content. They are immutable, so runs keep theirs when the pipeline changes. */
export interface DagStore {
  put(workspaceId: string, dag: Dag): Promise<string>;
  get(workspaceId: string, hash: string): Promise<Dag>;
  getMany(workspaceId: string, hashes: readonly string[]): Promise<Map<string, Dag>>;
}

/** The definition, if it is in the table: larger ones are in the bucket, which not every function may read. */
export async function readInlineDag(table: Table, workspaceId: string, hash: string): Promise<Dag | undefined> {
  const { Item } = await table.db.send(new GetCommand({ TableName: table.name, Key: dagKey(workspaceId, hash) }));
  return typeof Item?.text === 'string' ? (JSON.parse(Item.text) as Dag) : undefined;
}

export function dagStore(table: Table, objects: ObjectStore): DagStore {
  const cache = new LatestEntries<{ dag: Dag; characters: number }>(MAX_CACHED_CHARACTERS, (entry) => entry.characters);
  const keep = (workspaceId: string, hash: string, dag: Dag, characters: number): Dag => {
    cache.set(`${workspaceId}/${hash}`, { dag, characters });
    return dag;
  };
  const open = async (workspaceId: string, item: Record<string, unknown>): Promise<Dag> => {
    const text = (item.text as string | undefined) ?? (await objects.read(item.object as string)).toString('utf8');
    return keep(workspaceId, item.sk as string, JSON.parse(text) as Dag, text.length);
  };

  return {
    async put(workspaceId, dag) {
      const text = JSON.stringify(dag);
      const hash = createHash('sha256').update(text).digest('hex');
      if (cache.get(`${workspaceId}/${hash}`)) return hash;
      const inline = Buffer.byteLength(text) <= MAX_INLINE_BYTES;
      const object = `W/${workspaceId}/dags/${hash}.json`;
      if (!inline) await objects.write(object, Buffer.from(text), 'application/json');
      await table.db.send(
        new PutCommand({
          TableName: table.name,
          Item: { ...dagKey(workspaceId, hash), entity: 'dag', ...(inline ? { text } : { object }) },
        }),
      );
      keep(workspaceId, hash, dag, text.length);
      return hash;
    },

    async get(workspaceId, hash) {
      const cached = cache.get(`${workspaceId}/${hash}`);
      if (cached) return cached.dag;
      const found = await table.db.send(
        new GetCommand({ TableName: table.name, Key: dagKey(workspaceId, hash), ConsistentRead: true }),
      );
      if (!found.Item) throw new Error(`the definition ${hash} is missing`);
      return open(workspaceId, found.Item);
    },

    async getMany(workspaceId, hashes) {
      const found = new Map<string, Dag>();
      const missing: string[] = [];
      for (const hash of new Set(hashes)) {
        const cached = cache.get(`${workspaceId}/${hash}`);
        if (cached) found.set(hash, cached.dag);
        else missing.push(hash);
      }
      for (let start = 0; start < missing.length; start += 100) {
        let keys = missing.slice(start, start + 100).map((hash) => dagKey(workspaceId, hash));
        while (keys.length > 0) {
          const reply = await table.db.send(new BatchGetCommand({ RequestItems: { [table.name]: { Keys: keys } } }));
          for (const item of reply.Responses?.[table.name] ?? []) {
            found.set(item.sk as string, await open(workspaceId, item));
          }
          keys = (reply.UnprocessedKeys?.[table.name]?.Keys ?? []) as typeof keys;
        }
      }
      return found;
    },
  };
}
