import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { DeleteCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import type { ObjectStore } from '../../../platform/objects/object-store.ts';
import { type Key, workspaceKey } from '../../../platform/storage/keys.ts';
import { itemsBelow } from '../../../platform/storage/query-items.ts';
import { toRecord } from '../../../platform/storage/stored-record.ts';
import type { Table, TransactItem } from '../../../platform/storage/table.ts';
import { failedConditions, transact } from '../../../platform/storage/transact.ts';
import { updateOf } from '../../../platform/storage/update.ts';
import { type Batch, batchKey, streamPrefix } from './change-log.ts';
import type { Compacted } from './compact-batches.ts';
import type { StatePlace } from './state.ts';

/**
 * How long replaced files stay, and how old a batch must be to be compacted. A reader lists the batches and opens their
 * files right after reading the position of the stream; a slower reader notices the compaction and starts again.
 */
export const REPLACED_RETENTION_MS = 60 * 60 * 1000;

const MAX_INLINE_KEYS = 500;

/** An attempt at a compaction, and after its success the files that it has replaced. */
interface StoredCompaction {
  compactionId: string;
  at: string;
  replaced?: string[];
  /** The key of the object with a long list. */
  replacedObject?: string;
}

const compactionKey = ({ workspaceId, id }: StatePlace, compactionId: string): Key =>
  workspaceKey(workspaceId, `CDC-STREAM#${id}`, `COMPACTION#${compactionId}`);

/** The prefix of all objects of an attempt. */
export const compactionPrefix = (place: StatePlace, compactionId: string): string =>
  `${streamPrefix(place)}compaction-${compactionId}-`;

export interface CompactionStore {
  /** Records an attempt before it stores anything, so that its leftovers are found if it crashes. */
  begin(place: StatePlace, compactionId: string, at: Date): Promise<void>;
  /** Replaces the batches by the compacted one, all or nothing. Returns false if one of them has changed. */
  replace(
    place: StatePlace,
    compactionId: string,
    batches: readonly Batch[],
    compacted: Compacted,
    at: Date,
  ): Promise<boolean>;
  /** Removes files that were replaced before `until`, and those of attempts that failed before it. */
  clear(place: StatePlace, until: Date): Promise<void>;
}

export function compactionStore(table: Table, objects: ObjectStore): CompactionStore {
  async function replacedBy({ replaced, replacedObject }: StoredCompaction): Promise<string[]> {
    if (replaced || !replacedObject) return replaced ?? [];
    return [...(JSON.parse((await objects.read(replacedObject)).toString('utf8')) as string[]), replacedObject];
  }

  return {
    async begin(place, compactionId, at) {
      const item = {
        ...compactionKey(place, compactionId),
        entity: 'cdc-compaction',
        compactionId,
        at: at.toISOString(),
      };
      await table.db.send(new PutCommand({ TableName: table.name, Item: item }));
    },

    async replace(place, compactionId, batches, { files, truncated }, at) {
      const { seq, committedLsn, at: committedAt } = batches.at(-1)!;
      const replaced = batches.flatMap((batch) => [
        ...batch.files.map(({ key }) => key),
        ...(batch.filesObject ? [batch.filesObject] : []),
      ]);
      const prefix = compactionPrefix(place, compactionId);
      const isLong = replaced.length > MAX_INLINE_KEYS;
      const filesObject = `${prefix}files.json`;
      await objects.write(filesObject, Buffer.from(JSON.stringify(files)), 'application/json');
      const replacedObject = `${prefix}replaced.json`;
      if (isLong) await objects.write(replacedObject, Buffer.from(JSON.stringify(replaced)), 'application/json');
      const next = { seq, committedLsn, at: committedAt, truncated, compactionId, filesObject };
      const items: TransactItem[] = [
        {
          Update: updateOf(
            table,
            compactionKey(place, compactionId),
            { set: { at: at.toISOString(), ...(isLong ? { replacedObject } : { replaced }) } },
            { exists: ['pk'], absent: ['replaced', 'replacedObject'] },
          ),
        },
        {
          Put: {
            TableName: table.name,
            Item: { ...batchKey(place, seq), entity: 'cdc-batch', ...next },
            ...unchanged(batches.at(-1)!),
          },
        },
        ...batches.slice(0, -1).map((batch) => ({
          Delete: { TableName: table.name, Key: batchKey(place, batch.seq), ...unchanged(batch) },
        })),
      ];
      try {
        await transact(table, items);
        return true;
      } catch (cause) {
        if (failedConditions(cause).size === 0) throw cause;
        return false;
      }
    },

    async clear(place, until) {
      for await (const item of itemsBelow(table, compactionKey(place, ''))) {
        const attempt = toRecord<StoredCompaction>(item);
        if (new Date(attempt.at) > until) continue;
        const key = compactionKey(place, attempt.compactionId);
        if (attempt.replaced || attempt.replacedObject) {
          await objects.remove(await replacedBy(attempt));
          await removeRecord(table, key, attempt.at);
        } else if (await removeRecord(table, key, attempt.at)) {
          // From now on the attempt cannot succeed.
          await objects.remove(
            (await objects.list(compactionPrefix(place, attempt.compactionId))).map((each) => each.key),
          );
        }
      }
    },
  };
}

/** A batch that a concurrent worker has compacted counts as changed. */
function unchanged({ compactionId }: Batch) {
  return {
    ConditionExpression: `attribute_exists(pk) AND ${compactionId ? 'compactionId = :compaction' : 'attribute_not_exists(compactionId)'}`,
    ...(compactionId ? { ExpressionAttributeValues: { ':compaction': compactionId } } : {}),
  };
}

/** Removes the record of an attempt; returns false if the attempt has just succeeded. */
async function removeRecord(table: Table, key: Key, at: string): Promise<boolean> {
  const condition = {
    ConditionExpression: '#at = :at',
    ExpressionAttributeNames: { '#at': 'at' },
    ExpressionAttributeValues: { ':at': at },
  };
  try {
    await table.db.send(new DeleteCommand({ TableName: table.name, Key: key, ...condition }));
    return true;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return false;
    throw error;
  }
}
