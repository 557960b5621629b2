import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { readStorageUsage, type StorageUsage, usageIn } from '../../shared/domains/datasets/index.ts';
import { type PipelineUsage, readMonth } from '../../shared/domains/pipelines/index.ts';
import { type CompanyEntitlements, readEntitlements } from '../../shared/platform/entitlements/entitlements.ts';
import type { Table } from '../../shared/platform/storage/table.ts';

export interface EntitlementRepository {
  entitlements(companyId: string): Promise<CompanyEntitlements>;
  pipelineUsage(workspaceId: string, month: string): Promise<PipelineUsage>;
  storage(workspaceId: string, month: string): Promise<StorageUsage>;
  datasetCount(workspaceId: string): Promise<number>;
}

export function entitlementRepository(table: Table): EntitlementRepository {
  return {
    entitlements: (companyId) => readEntitlements(table, companyId),

    pipelineUsage: (workspaceId, month) => readMonth(table, workspaceId, month),

    storage: async (workspaceId, month) => usageIn(month, await readStorageUsage(table, workspaceId)),

    async datasetCount(workspaceId) {
      const Key = { pk: `W#${workspaceId}#DATASET`, sk: '#TOTAL' };
      const total = await table.db.send(new GetCommand({ TableName: table.name, Key, ConsistentRead: true }));
      return (total.Item?.count as number | undefined) ?? 0;
    },
  };
}
