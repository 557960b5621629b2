import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import type { ObjectStore } from '../../platform/objects/object-store.ts';
import { toRecord } from '../../platform/storage/collection.ts';
import { type Key, workspaceKey } from '../../platform/storage/keys.ts';
import { itemsBelow, queryItems } from '../../platform/storage/query-items.ts';
import type { Table, TransactItem } from '../../platform/storage/table.ts';
import type { Lsn } from './lsn.ts';
import type { StatePlace } from './state.ts';
import type { ShapeColumn } from './table-shape.ts';

/** `r` is a row of a snapshot, `t` lets all rows go that the table had before. */
export type ChangeOp = 'r' | 'i' | 'u' | 'd' | 't';

/** What one change is, before its values: the columns with which each line of a change file begins. */
export const LINE_HEAD = ['seq', 'ordinal', 'op', 'lsn', 'committed_at'] as const;

/** A file of changes of one table, as CSV (`shared/data/duckdb/exact-csv.ts`): the head, then the values of `columns`. */
export interface ChangeFile {
  table: string;
  key: string;
  rows: number;
  bytes: number;
  columns: ShapeColumn[];
  /** Names of the columns that tell rows apart; null when only the whole row does. */
  rowKey: string[] | null;
}

/**
 * What was taken over at once: whole transactions of the source, or rows of a snapshot. It is never changed; old ones are folded
 * into one with the number of the last of them, whose lines tell by their own numbers which batch they are of.
 */
export interface Batch {
  seq: number;
  committedLsn: Lsn;
  files: ChangeFile[];
  /** Tables whose rows from before are all gone at some change of the batch. */
  truncated: string[];
  at: string;
  /** Of one that others were folded into. */
  foldId?: string;
  /** Where the list of files lies when it is long. */
  filesObject?: string;
}

type StoredBatch = Omit<Batch, 'files'> & { files?: ChangeFile[] };

const NEWEST = 999_999_999_999;
const MAX_INLINE_BYTES = 64 * 1024;

export const streamPrefix = ({ workspaceId, id }: StatePlace): string => `W/${workspaceId}/cdc/${id}/`;

const partition = ({ workspaceId, id }: StatePlace) => workspaceKey(workspaceId, `CDC-STREAM#${id}`, '').pk;
export const batchKey = (place: StatePlace, seq: number): Key =>
  workspaceKey(place.workspaceId, `CDC-STREAM#${place.id}`, `BATCH#${numbered(seq)}`);
const numbered = (seq: number) => String(seq).padStart(12, '0');

/** Everything that an attempt to write a batch stores begins with this, so that what a dead one has left is found. */
export const batchPrefix = (place: StatePlace, seq: number): string => `${streamPrefix(place)}${numbered(seq)}-`;

/** The log of a stream's changes: batches in their order, each visible as a whole or not at all. */
export interface ChangeLog {
  /** Stores what lies beside the item, which belongs into the transaction that moves the stream on. */
  batchItem(place: StatePlace, batch: Batch, attempt: number): Promise<TransactItem>;
  /** Batches with `after < seq <= upTo`, in their order. */
  read(place: StatePlace, range: { after: number; upTo: number }): AsyncIterable<Batch>;
  /** The batch, or the one that it was folded into. */
  covering(place: StatePlace, seq: number): Promise<Batch | undefined>;
  /** Removes what attempts at the batch have stored that never came to be. */
  sweep(place: StatePlace, seq: number): Promise<void>;
  /** Removes everything of the stream. */
  remove(place: StatePlace): Promise<void>;
}

export function changeLog(table: Table, objects: ObjectStore): ChangeLog {
  async function opened(item: Record<string, unknown>): Promise<Batch> {
    const { files = [], ...batch } = toRecord<StoredBatch>(item);
    if (batch.filesObject === undefined) return { ...batch, files };
    return { ...batch, files: JSON.parse((await objects.read(batch.filesObject)).toString('utf8')) as ChangeFile[] };
  }

  const items = (place: StatePlace, after: number, upTo: number, atMost?: number) =>
    queryItems(
      table,
      {
        KeyConditionExpression: 'pk = :pk AND sk BETWEEN :from AND :to',
        ExpressionAttributeValues: {
          ':pk': partition(place),
          ':from': batchKey(place, after + 1).sk,
          ':to': batchKey(place, upTo).sk,
        },
        ConsistentRead: true,
      },
      atMost,
    );

  return {
    async batchItem(place, { files, ...batch }, attempt) {
      const text = JSON.stringify(files);
      const inline = text.length <= MAX_INLINE_BYTES;
      const filesObject = `${batchPrefix(place, batch.seq)}${attempt}-files.json`;
      if (!inline) await objects.write(filesObject, Buffer.from(text), 'application/json');
      return {
        Put: {
          TableName: table.name,
          Item: {
            ...batchKey(place, batch.seq),
            entity: 'cdc-batch',
            ...batch,
            ...(inline ? { files } : { filesObject }),
          },
          ConditionExpression: 'attribute_not_exists(pk)',
        },
      };
    },

    async *read(place, { after, upTo }) {
      if (upTo <= after) return;
      for await (const item of items(place, after, upTo)) yield await opened(item);
    },

    async covering(place, seq) {
      const [item] = await Array.fromAsync(items(place, seq - 1, NEWEST, 1));
      return item && opened(item);
    },

    async sweep(place, seq) {
      const left = await objects.list(batchPrefix(place, seq));
      await objects.remove(left.map(({ key }) => key));
    },

    async remove(place) {
      await objects.remove((await objects.list(streamPrefix(place))).map(({ key }) => key));
      for (const beginning of ['BATCH#', 'FOLD#']) {
        for await (const { pk, sk } of itemsBelow(table, { pk: partition(place), sk: beginning })) {
          await table.db.send(new DeleteCommand({ TableName: table.name, Key: { pk, sk } }));
        }
      }
    },
  };
}
