import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import type { ObjectStore } from '../../../platform/objects/object-store.ts';
import { type Key, workspaceKey } from '../../../platform/storage/keys.ts';
import { itemsBelow, queryItems } from '../../../platform/storage/query-items.ts';
import { toRecord } from '../../../platform/storage/stored-record.ts';
import type { Table, TransactItem } from '../../../platform/storage/table.ts';
import type { Lsn } from './lsn.ts';
import type { StatePlace } from './state.ts';
import type { ShapeColumn } from './table-shape.ts';

/** `r` is a row of a snapshot; `t` removes all rows that the table had before. */
export type ChangeOp = 'r' | 'i' | 'u' | 'd' | 't';

/** The columns with which each line of a change file begins, before the values. */
export const LINE_HEAD = ['seq', 'ordinal', 'op', 'lsn', 'committed_at'] as const;

/**
 * A file of changes of one table, as CSV (`shared/data/duckdb/exact-csv.ts`): the head, then the values of `columns`.
 */
export interface ChangeFile {
  table: string;
  key: string;
  rows: number;
  bytes: number;
  columns: ShapeColumn[];
  /** Names of the columns that identify a row; null if only the whole row does. */
  rowKey: string[] | null;
}

/**
 * Whole transactions of the source, or rows of a snapshot, that were captured together. A batch never changes. Old
 * batches are compacted into one with the number of the last of them; the lines keep the numbers of their original
 * batches.
 */
export interface Batch {
  seq: number;
  committedLsn: Lsn;
  files: ChangeFile[];
  /** Tables that a change of the batch has truncated. */
  truncated: string[];
  at: string;
  /** The compaction that wrote the batch; absent for an original batch. */
  compactionId?: string;
  /** The key of the object with a long list of files. */
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

/** The prefix of all objects of an attempt to write a batch, by which the leftovers of a crash are found. */
export const batchPrefix = (place: StatePlace, seq: number): string => `${streamPrefix(place)}${numbered(seq)}-`;

/** The log of a stream's changes: batches in order, each visible as a whole or not at all. */
export interface ChangeLog {
  /**
   * Stores a long list of files and returns the item of the batch, which is written in the transaction that advances
   * the stream.
   */
  batchItem(place: StatePlace, batch: Batch, attempt: number): Promise<TransactItem>;
  /** Batches with `after < seq <= upTo`, in order. */
  read(place: StatePlace, range: { after: number; upTo: number }): AsyncIterable<Batch>;
  /** The batch, or the one into which it was compacted. */
  covering(place: StatePlace, seq: number): Promise<Batch | undefined>;
  /** Removes the objects of failed attempts to write the batch. */
  sweep(place: StatePlace, seq: number): Promise<void>;
  /** Removes all batches and objects of the stream. */
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
      const leftovers = await objects.list(batchPrefix(place, seq));
      await objects.remove(leftovers.map(({ key }) => key));
    },

    async remove(place) {
      await objects.remove((await objects.list(streamPrefix(place))).map(({ key }) => key));
      for (const prefix of ['BATCH#', 'COMPACTION#']) {
        for await (const { pk, sk } of itemsBelow(table, { pk: partition(place), sk: prefix })) {
          await table.db.send(new DeleteCommand({ TableName: table.name, Key: { pk, sk } }));
        }
      }
    },
  };
}
