import { GetCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { readStorageUsage, type StorageUsage, usageIn } from '../../shared/datasets/storage-usage.ts';
import { type CompanyEntitlements, readEntitlements } from '../../shared/entitlements/entitlements.ts';
import { workspaceKey } from '../../shared/storage/keys.ts';
import type { Table } from '../../shared/storage/table.ts';

/** What the steps of a month's runs have used, summed over its days. */
export interface PipelineUsage {
  execution_seconds: number;
  rows_moved: number;
  bytes_moved: number;
  runs: number;
}

export interface EntitlementRepository {
  entitlements(companyId: string): Promise<CompanyEntitlements>;
  pipelineUsage(workspaceId: string, month: string): Promise<PipelineUsage>;
  storage(workspaceId: string, month: string): Promise<StorageUsage>;
  datasetCount(workspaceId: string): Promise<number>;
}

export function entitlementRepository(table: Table): EntitlementRepository {
  return {
    entitlements: (companyId) => readEntitlements(table, companyId),

    async pipelineUsage(workspaceId, month) {
      const { pk, sk } = workspaceKey(workspaceId, `USAGE#${month}`, 'DAY#');
      const days = await table.db.send(
        new QueryCommand({
          TableName: table.name,
          KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
          ExpressionAttributeValues: { ':pk': pk, ':prefix': sk },
          ConsistentRead: true,
        }),
      );
      const sum: PipelineUsage = { execution_seconds: 0, rows_moved: 0, bytes_moved: 0, runs: 0 };
      for (const day of days.Items ?? []) {
        for (const name of Object.keys(sum) as (keyof PipelineUsage)[]) sum[name] += (day[name] as number) ?? 0;
      }
      return sum;
    },

    storage: async (workspaceId, month) => usageIn(month, await readStorageUsage(table, workspaceId)),

    async datasetCount(workspaceId) {
      const Key = { pk: `W#${workspaceId}#DATASET`, sk: '#TOTAL' };
      const total = await table.db.send(new GetCommand({ TableName: table.name, Key, ConsistentRead: true }));
      return (total.Item?.count as number | undefined) ?? 0;
    },
  };
}
