import { DeleteCommand, GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { newId } from '../../../platform/storage/ids.ts';
import { ifHolds } from '../../../platform/storage/if-holds.ts';
import type { Key } from '../../../platform/storage/keys.ts';
import { itemsBelow } from '../../../platform/storage/query-items.ts';
import { toRecord } from '../../../platform/storage/stored-record.ts';
import type { Table, TransactItem } from '../../../platform/storage/table.ts';
import { type Condition, updateOf } from '../../../platform/storage/update.ts';
import { batchKey, batchMark, readMark, unreadKey } from './keys.ts';
import { countMail, heldUntil } from './mail-limit.ts';
import type { MailBatch, NotifiedPerson, SubjectRef } from './records.ts';
import { firstLookMs, sendAt } from './times.ts';

/** Longer than a worker needs for a mail. */
const CLAIM_MS = 60_000;
const KEPT_SECONDS = 7 * 24 * 60 * 60;
/** A mail counts no further. */
const MAX_COUNTED = 1_000;

const SHARDS = 4;

/** Partitions of the due index with batches whose mail may be due. */
export const MAIL_BATCH_PARTITIONS = Array.from({ length: SHARDS }, (_, shard) => `mail-batch#${shard}`);

const partitionOf = (userId: string): string =>
  MAIL_BATCH_PARTITIONS[Number.parseInt(userId.slice(-2), 16) % SHARDS] ?? MAIL_BATCH_PARTITIONS[0]!;

type BatchPlace = NotifiedPerson & Pick<MailBatch, 'subject' | 'timing'>;

const keyOf = (place: BatchPlace): Key => batchKey(place, place.subject, place.timing);

export async function readBatch(table: Table, Key: Key): Promise<MailBatch | undefined> {
  const found = await table.db.send(new GetCommand({ TableName: table.name, Key, ConsistentRead: true }));
  return found.Item && toRecord<MailBatch>(found.Item);
}

/**
 * Adds a notification to the batch as it was read, or begins one, in the transaction that stores the notification.
 * Fails if a mail has begun to list the batch, or if another one was begun.
 */
export function growItem(
  table: Table,
  added: {
    place: BatchPlace;
    seen: MailBatch | undefined;
    batchId: string;
    apiUrl: string;
    id: string;
    isAlways: boolean;
  },
): TransactItem {
  const { place, seen, batchId, apiUrl, id, isAlways } = added;
  const { workspaceId, userId, membershipId, address, subject, timing } = place;
  const now = table.now();
  const at = now.toISOString();
  const person = { workspaceId, userId, membershipId, address };
  const constant = { entity: 'mail-batch', id: batchId, ...person, subject, timing };
  const expiresAt = Math.ceil(now.getTime() / 1000) + KEPT_SECONDS;
  const write = updateOf(
    table,
    keyOf(place),
    { set: { ...constant, apiUrl, lastAt: at, lastId: id, expiresAt, isAlways: isAlways || undefined } },
    seen ? { equals: { id: seen.id } } : { absent: ['pk'] },
  );
  // The time of a batch that waits already stays, except that one which is held is looked at again.
  const released = isAlways && seen && seen.sendingId === undefined ? sendAt(seen) : undefined;
  const dueAt = released ? 'dueAt = :dueAt' : 'dueAt = if_not_exists(dueAt, :dueAt)';
  const waiting = `firstAt = if_not_exists(firstAt, :at), due = if_not_exists(due, :due), ${dueAt}`;
  return {
    Update: {
      ...write,
      UpdateExpression: `${write.UpdateExpression}, ${waiting}`,
      ExpressionAttributeValues: {
        ...write.ExpressionAttributeValues,
        ':at': at,
        ':due': partitionOf(userId),
        ':dueAt': (released ?? new Date(now.getTime() + firstLookMs(timing))).toISOString(),
      },
    },
  };
}

/** A batch that a mail lists; what is notified from now on goes into another one. */
export interface ClaimedBatch extends MailBatch {
  sendingId: string;
}

export interface MailBatches {
  /**
   * The batch if its mail is due and no other worker sends it. One that is not due yet is looked at again when it is.
   */
  claim(key: Key): Promise<ClaimedBatch | undefined>;
  /** The unread notifications of the batch: the ids of the newest, and how many there are. */
  unread(batch: ClaimedBatch, newest: number): Promise<{ ids: string[]; count: number }>;
  /** Counts the mail about the batch, before it is sent, in the limit of mails an hour. May be repeated. */
  count(batch: ClaimedBatch): Promise<void>;
  /** Ends the batch, which was sent or has nothing to send. What came meanwhile waits for a mail of its own. */
  finish(batch: ClaimedBatch): Promise<void>;
  /** Drops what waits for the person about a subject that they have opened; what comes meanwhile stays. */
  seen(person: NotifiedPerson, subject: SubjectRef): Promise<void>;
}

export function mailBatches(table: Table): MailBatches {
  const write = (...update: Parameters<typeof updateOf> extends [Table, ...infer Rest] ? Rest : never) =>
    ifHolds(table.db.send(new UpdateCommand(updateOf(table, ...update))));

  async function claimAgain(key: Key, batch: ClaimedBatch, now: Date): Promise<ClaimedBatch | undefined> {
    const { sendingId, claimedUntil = '' } = batch;
    if (claimedUntil > now.toISOString()) return undefined;
    const until = new Date(now.getTime() + CLAIM_MS).toISOString();
    return (await write(key, { set: { claimedUntil: until } }, { equals: { sendingId, claimedUntil } }))
      ? batch
      : undefined;
  }

  async function remove(Key: Key, condition: Condition): Promise<boolean> {
    const { UpdateExpression: _none, ...conditional } = updateOf(table, Key, {}, condition);
    return ifHolds(table.db.send(new DeleteCommand(conditional)));
  }

  return {
    async claim(key) {
      const batch = await readBatch(table, key);
      if (!batch) return undefined;
      const now = table.now();
      if (batch.sendingId !== undefined) return claimAgain(key, batch as ClaimedBatch, now);
      const first = sendAt(batch);
      if (!first) return undefined;
      const { id, timing, userId } = batch;
      const held = first > now ? undefined : await heldUntil(table, batch);
      const due = held ?? first;
      if (due > now) {
        const isHeld = held ? true : undefined;
        // What was notified meanwhile may not wait.
        const condition = { equals: { id, lastId: batch.lastId } };
        await write(key, { set: { due: partitionOf(userId), dueAt: due.toISOString(), isHeld } }, condition);
        return undefined;
      }
      const claimedUntil = new Date(now.getTime() + CLAIM_MS).toISOString();
      // The tick looks again in case that the worker crashes.
      const again = new Date(now.getTime() + Math.max(CLAIM_MS, firstLookMs(timing))).toISOString();
      const change = {
        set: { id: newId(now), sendingId: id, claimedUntil, due: partitionOf(userId), dueAt: again },
        remove: ['firstAt', 'lastAt', 'isAlways', 'isHeld'],
      };
      return (await write(key, change, { equals: { id } })) ? { ...batch, sendingId: id } : undefined;
    },

    async unread(batch, newest) {
      const mark = batchMark({ ...batch, batchId: batch.sendingId });
      const below = itemsBelow(table, unreadKey(batch, mark), { newestFirst: true, atMost: MAX_COUNTED });
      const ids = await Array.fromAsync(below, ({ sk }) => readMark(sk as string).id);
      return { ids: ids.slice(0, newest), count: ids.length };
    },

    count: (batch) => countMail(table, batch),

    async finish(batch) {
      const key = keyOf(batch);
      const { sendingId } = batch;
      if (await remove(key, { equals: { sendingId }, absent: ['firstAt'] })) return;
      const rest = await readBatch(table, key);
      const due = rest?.sendingId === sendingId ? sendAt(rest) : undefined;
      if (!due) return;
      const change = { set: { dueAt: due.toISOString() }, remove: ['sendingId', 'claimedUntil'] };
      await write(key, change, { equals: { sendingId } });
    },

    async seen(person, subject) {
      const items = await Array.fromAsync(itemsBelow(table, batchKey(person, subject, '')));
      await Promise.all(
        items.map((item) => {
          const { id, lastId } = item as unknown as MailBatch;
          const key = { pk: item.pk as string, sk: item.sk as string };
          return remove(key, { equals: { id, lastId }, absent: ['sendingId'] });
        }),
      );
    },
  };
}
