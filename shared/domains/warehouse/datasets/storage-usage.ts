import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { workspaceKey } from '../../../platform/storage/keys.ts';
import type { Table, TransactItem } from '../../../platform/storage/table.ts';
import { monthOf } from '../../tenancy/usage/index.ts';

/** How many earlier months are kept. */
const MAX_EARLIER = 36;

/** The peak of a month, and the size at its end. */
interface EndedMonth {
  peakBytes: number;
  bytes: number;
}

/**
 * The current size of all datasets of a workspace, with superseded versions and the logs of CDC streams, and its peak
 * in `month` (`YYYY-MM`, UTC), in which it last changed.
 */
export interface StorageUsage {
  bytes: number;
  month: string;
  peakBytes: number;
  /** Earlier months in which it changed; absent while there were none. */
  earlier?: Record<string, EndedMonth>;
}

const key = (workspaceId: string) => workspaceKey(workspaceId, 'USAGE', 'STORAGE');

export async function readStorageUsage(table: Table, workspaceId: string): Promise<StorageUsage | undefined> {
  const found = await table.db.send(
    new GetCommand({ TableName: table.name, Key: key(workspaceId), ConsistentRead: true }),
  );
  return found.Item as StorageUsage | undefined;
}

/** The peak of a month. The size at the beginning of a month is its peak until more is stored. */
export function peakIn(month: string, usage: StorageUsage | undefined): number {
  if (!usage) return 0;
  if (month > usage.month) return usage.bytes;
  if (month === usage.month) return usage.peakBytes;
  const known = usage.earlier ?? {};
  const last = Object.keys(known)
    .filter((each) => each <= month)
    .sort()
    .at(-1);
  if (last === undefined) return 0;
  return last === month ? known[last]!.peakBytes : known[last]!.bytes;
}

/** The usage after `bytesAdded`, which is negative for removed data. */
export function usageAfter(at: Date, usage: StorageUsage | undefined, bytesAdded: number): StorageUsage {
  const month = monthOf(at);
  const next = Math.max(0, (usage?.bytes ?? 0) + bytesAdded);
  const earlier = usage && usage.month < month ? withEnded(usage) : usage?.earlier;
  return {
    bytes: next,
    month,
    peakBytes: Math.max(peakIn(month, usage), next),
    ...(earlier ? { earlier } : {}),
  };
}

function withEnded({ month, peakBytes, bytes, earlier = {} }: StorageUsage): Record<string, EndedMonth> {
  const all = Object.entries({ ...earlier, [month]: { peakBytes, bytes } });
  return Object.fromEntries(all.sort(([a], [b]) => (a < b ? -1 : 1)).slice(-MAX_EARLIER));
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
