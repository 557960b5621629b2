import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { type Key, workspaceKey } from '../../../platform/storage/keys.ts';
import type { Table, TransactItem } from '../../../platform/storage/table.ts';

/** How long after a load the superseded versions are cleaned up. */
export const CLEAN_UP_AFTER_MS = 60 * 60 * 1000;

/** The partitions of the due index for the next clean-ups of datasets. */
export const CLEAN_UP_SHARDS = 8;
const shardOf = (datasetId: string) => `dataset-clean-up#${Number.parseInt(datasetId.slice(-2), 16) % CLEAN_UP_SHARDS}`;

/**
 * The size of all files in versions that have not expired, each file counted once, and the time of the next clean-up.
 * The record outlives the dataset until its last file is deleted.
 */
export interface StorageStats {
  workspaceId: string;
  datasetId: string;
  bytes: number;
  dueAt?: string;
  /** When the dataset was deleted. */
  deletedAt?: string;
}

export const storageStatsKey = (workspaceId: string, datasetId: string): Key =>
  workspaceKey(workspaceId, `DATASET#${datasetId}`, 'STORAGE-STATS');

export async function readStorageStats(table: Table, workspaceId: string, datasetId: string): Promise<StorageStats> {
  const Key = storageStatsKey(workspaceId, datasetId);
  const found = await table.db.send(new GetCommand({ TableName: table.name, Key, ConsistentRead: true }));
  const { bytes = 0, dueAt, deletedAt } = (found.Item ?? {}) as Partial<StorageStats>;
  return { workspaceId, datasetId, bytes, ...(dueAt ? { dueAt } : {}), ...(deletedAt ? { deletedAt } : {}) };
}

/** Adds the files of a load. Schedules a clean-up in an hour, unless one is scheduled. */
export function addStorageStatsItem(
  table: Table,
  dataset: { workspaceId: string; id: string },
  bytesAdded: number,
  at: Date,
): TransactItem {
  return {
    Update: {
      TableName: table.name,
      Key: storageStatsKey(dataset.workspaceId, dataset.id),
      UpdateExpression: 'SET entity = :entity, due = :due, dueAt = if_not_exists(dueAt, :dueAt) ADD #bytes :added',
      ExpressionAttributeNames: { '#bytes': 'bytes' },
      ExpressionAttributeValues: {
        ':entity': 'dataset-storage-stats',
        ':due': shardOf(dataset.id),
        ':dueAt': new Date(at.getTime() + CLEAN_UP_AFTER_MS).toISOString(),
        ':added': bytesAdded,
      },
    },
  };
}

/** Replaces the stats as read by `next`; fails if a load or another clean-up came first. */
export function storageStatsItem(
  table: Table,
  seen: StorageStats,
  next: Omit<StorageStats, 'workspaceId' | 'datasetId'>,
): TransactItem {
  const { bytes, dueAt, deletedAt } = next;
  return {
    Put: {
      TableName: table.name,
      Item: {
        ...storageStatsKey(seen.workspaceId, seen.datasetId),
        entity: 'dataset-storage-stats',
        bytes,
        ...(deletedAt ? { deletedAt } : {}),
        ...(dueAt ? { due: shardOf(seen.datasetId), dueAt } : {}),
      },
      ...unchanged(seen),
    },
  };
}

/** Removes the stats of a dataset without files, on the same condition. */
export function removeStorageStatsItem(table: Table, seen: StorageStats): TransactItem {
  return {
    Delete: { TableName: table.name, Key: storageStatsKey(seen.workspaceId, seen.datasetId), ...unchanged(seen) },
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
