import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { DeleteCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import type { ObjectStore } from '../../platform/objects/object-store.ts';
import { failedConditions, toRecord } from '../../platform/storage/collection.ts';
import { type Key, workspaceKey } from '../../platform/storage/keys.ts';
import { itemsBelow } from '../../platform/storage/query-items.ts';
import type { Table, TransactItem } from '../../platform/storage/table.ts';
import { transact } from '../../platform/storage/transact.ts';
import { updateOf } from '../../platform/storage/update.ts';
import { type Batch, batchKey, streamPrefix } from './change-log.ts';
import type { Folded } from './compact-batches.ts';
import type { StatePlace } from './state.ts';

/**
 * How long what was folded stays, and how old a batch must be to be folded. A reader takes its list and its files right after it has
 * looked how far the stream is; one that is slower than this notices and reads anew.
 */
export const REPLACED_STAYS_MS = 60 * 60 * 1000;

const MAX_INLINE_KEYS = 500;

/** An attempt to fold batches, and once it has come to something what it has replaced. */
interface Fold {
  foldId: string;
  at: string;
  replaced?: string[];
  /** A longer list lies in the bucket. */
  replacedObject?: string;
}

const foldKey = ({ workspaceId, id }: StatePlace, foldId: string): Key =>
  workspaceKey(workspaceId, `CDC-STREAM#${id}`, `FOLD#${foldId}`);

/** Everything that an attempt stores begins with this. */
export const foldPrefix = (place: StatePlace, foldId: string): string => `${streamPrefix(place)}fold-${foldId}-`;

export interface FoldStore {
  /** Notes an attempt before it stores anything, so that what it leaves when it dies is found. */
  begin(place: StatePlace, foldId: string, at: Date): Promise<void>;
  /** Puts what was folded in the place of the batches, all or nothing. False when they are not what they were. */
  replace(place: StatePlace, foldId: string, batches: readonly Batch[], folded: Folded, at: Date): Promise<boolean>;
  /** Removes the files of what was replaced, or never came to be, before `until`. */
  clear(place: StatePlace, until: Date): Promise<void>;
}

export function foldStore(table: Table, objects: ObjectStore): FoldStore {
  async function replacedBy({ replaced, replacedObject }: Fold): Promise<string[]> {
    if (replaced || !replacedObject) return replaced ?? [];
    return [...(JSON.parse((await objects.read(replacedObject)).toString('utf8')) as string[]), replacedObject];
  }

  return {
    async begin(place, foldId, at) {
      const item = { ...foldKey(place, foldId), entity: 'cdc-fold', foldId, at: at.toISOString() };
      await table.db.send(new PutCommand({ TableName: table.name, Item: item }));
    },

    async replace(place, foldId, batches, { files, truncated }, at) {
      const { seq, committedLsn, at: committedAt } = batches.at(-1)!;
      const replaced = batches.flatMap((batch) => [
        ...batch.files.map(({ key }) => key),
        ...(batch.filesObject ? [batch.filesObject] : []),
      ]);
      const prefix = foldPrefix(place, foldId);
      const isLong = replaced.length > MAX_INLINE_KEYS;
      const filesObject = `${prefix}files.json`;
      await objects.write(filesObject, Buffer.from(JSON.stringify(files)), 'application/json');
      const replacedObject = `${prefix}replaced.json`;
      if (isLong) await objects.write(replacedObject, Buffer.from(JSON.stringify(replaced)), 'application/json');
      const next = { seq, committedLsn, at: committedAt, truncated, foldId, filesObject };
      const items: TransactItem[] = [
        {
          Update: updateOf(
            table,
            foldKey(place, foldId),
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
      for await (const item of itemsBelow(table, foldKey(place, ''))) {
        const fold = toRecord<Fold>(item);
        if (new Date(fold.at) > until) continue;
        const key = foldKey(place, fold.foldId);
        if (fold.replaced || fold.replacedObject) {
          await objects.remove(await replacedBy(fold));
          await forget(table, key, fold.at);
        } else if (await forget(table, key, fold.at)) {
          // Now it cannot come to something any more.
          await objects.remove((await objects.list(foldPrefix(place, fold.foldId))).map((each) => each.key));
        }
      }
    },
  };
}

/** A batch that a twin has folded is another one. */
function unchanged({ foldId }: Batch) {
  return {
    ConditionExpression: `attribute_exists(pk) AND ${foldId ? 'foldId = :fold' : 'attribute_not_exists(foldId)'}`,
    ...(foldId ? { ExpressionAttributeValues: { ':fold': foldId } } : {}),
  };
}

/** False when it has come to something in this moment. */
async function forget(table: Table, key: Key, at: string): Promise<boolean> {
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
