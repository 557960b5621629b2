import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { workspaceKey } from '../../platform/storage/keys.ts';
import type { Table, TransactItem } from '../../platform/storage/table.ts';

/**
 * The current size of all datasets of a workspace, with superseded versions and the logs of CDC streams, and its peak
 * in `month` (`YYYY-MM`, UTC).
 */
export interface StorageUsage {
  bytes: number;
  month: string;
  peakBytes: number;
}

const key = (workspaceId: string) => workspaceKey(workspaceId, 'USAGE', 'STORAGE');

export async function readStorageUsage(table: Table, workspaceId: string): Promise<StorageUsage | undefined> {
  const found = await table.db.send(
    new GetCommand({ TableName: table.name, Key: key(workspaceId), ConsistentRead: true }),
  );
  return found.Item as StorageUsage | undefined;
}

/** The usage as of `month`. The size at the beginning of the month is its peak until more is stored. */
export function usageIn(month: string, usage: StorageUsage | undefined): StorageUsage {
  if (!usage) return { bytes: 0, month, peakBytes: 0 };
  return usage.month === month ? usage : { bytes: usage.bytes, month, peakBytes: usage.bytes };
}

/** The usage after `bytesAdded`, which is negative for removed data. */
export function usageAfter(at: Date, usage: StorageUsage | undefined, bytesAdded: number): StorageUsage {
  const month = at.toISOString().slice(0, 7);
  const { bytes, peakBytes } = usageIn(month, usage);
  const next = Math.max(0, bytes + bytesAdded);
  return { bytes: next, month, peakBytes: Math.max(peakBytes, next) };
}

/** Replaces the usage as read by `next`; fails if another change came first. */
export function storageUsageItem(
  table: Table,
  workspaceId: string,
  seen: StorageUsage | undefined,
  next: StorageUsage,
): TransactItem {
  return {
    Put: {
      TableName: table.name,
      Item: { ...key(workspaceId), entity: 'storage-usage', ...next },
      ...(seen
        ? {
            ConditionExpression: '#bytes = :bytes AND peakBytes = :peak AND #month = :month',
            ExpressionAttributeNames: { '#bytes': 'bytes', '#month': 'month' },
            ExpressionAttributeValues: { ':bytes': seen.bytes, ':peak': seen.peakBytes, ':month': seen.month },
          }
        : { ConditionExpression: 'attribute_not_exists(pk)' }),
    },
  };
}
