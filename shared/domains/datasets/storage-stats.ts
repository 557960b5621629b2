import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { type Key, workspaceKey } from '../../platform/storage/keys.ts';
import type { Table, TransactItem } from '../../platform/storage/table.ts';

/** How long after a load the superseded versions are looked through. */
export const CLEAN_UP_AFTER_MS = 60 * 60 * 1000;

/** Partition of the due index in which a dataset waits to be cleaned up. */
export const CLEAN_UP_SHARDS = 8;
const shardOf = (datasetId: string) => `dataset-clean-up#${Number.parseInt(datasetId.slice(-2), 16) % CLEAN_UP_SHARDS}`;

/**
 * What a dataset has stored: the bytes of all files of its versions that have not expired, each file once, and when it is
 * to be cleaned up next. It outlives the dataset until the last of its files is deleted.
 */
export interface StorageStats {
  workspaceId: string;
  datasetId: string;
  bytes: number;
  dueAt?: string;
  /** The dataset has been deleted: nothing of it is kept. */
  deletedAt?: string;
}

export const holdingsKey = (workspaceId: string, datasetId: string): Key =>
  workspaceKey(workspaceId, `DATASET#${datasetId}`, 'HOLDINGS');

export async function readStorageStats(table: Table, workspaceId: string, datasetId: string): Promise<StorageStats> {
  const Key = holdingsKey(workspaceId, datasetId);
  const found = await table.db.send(new GetCommand({ TableName: table.name, Key, ConsistentRead: true }));
  const { bytes = 0, dueAt, deletedAt } = (found.Item ?? {}) as Partial<StorageStats>;
  return { workspaceId, datasetId, bytes, ...(dueAt ? { dueAt } : {}), ...(deletedAt ? { deletedAt } : {}) };
}

/** A load adds files; cleaning up is due an hour later, unless it is due already. */
export function addStorageStatsItem(
  table: Table,
  dataset: { workspaceId: string; id: string },
  bytesAdded: number,
  at: Date,
): TransactItem {
  return {
    Update: {
      TableName: table.name,
      Key: holdingsKey(dataset.workspaceId, dataset.id),
      UpdateExpression: 'SET entity = :entity, due = :due, dueAt = if_not_exists(dueAt, :dueAt) ADD #bytes :added',
      ExpressionAttributeNames: { '#bytes': 'bytes' },
      ExpressionAttributeValues: {
        ':entity': 'dataset-holdings',
        ':due': shardOf(dataset.id),
        ':dueAt': new Date(at.getTime() + CLEAN_UP_AFTER_MS).toISOString(),
        ':added': bytesAdded,
      },
    },
  };
}

/** Moves the holdings from what was read to `next`; fails its condition when a load or another clean-up came first. */
export function holdingsItem(
  table: Table,
  seen: StorageStats,
  next: Omit<StorageStats, 'workspaceId' | 'datasetId'>,
): TransactItem {
  const { bytes, dueAt, deletedAt } = next;
  return {
    Put: {
      TableName: table.name,
      Item: {
        ...holdingsKey(seen.workspaceId, seen.datasetId),
        entity: 'dataset-holdings',
        bytes,
        ...(deletedAt ? { deletedAt } : {}),
        ...(dueAt ? { due: shardOf(seen.datasetId), dueAt } : {}),
      },
      ...unchanged(seen),
    },
  };
}

/** Forgets the holdings of a dataset that has nothing any more, on the same condition. */
export function noStorageStatsItem(table: Table, seen: StorageStats): TransactItem {
  return {
    Delete: { TableName: table.name, Key: holdingsKey(seen.workspaceId, seen.datasetId), ...unchanged(seen) },
  };
}

function unchanged({ bytes, dueAt }: StorageStats) {
  return {
    ConditionExpression: [
      bytes === 0 ? '(#bytes = :bytes OR attribute_not_exists(#bytes))' : '#bytes = :bytes',
      dueAt ? 'dueAt = :dueAt' : 'attribute_not_exists(dueAt)',
    ].join(' AND '),
    ExpressionAttributeNames: { '#bytes': 'bytes' },
    ExpressionAttributeValues: { ':bytes': bytes, ...(dueAt ? { ':dueAt': dueAt } : {}) },
  };
}
