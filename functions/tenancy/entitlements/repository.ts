import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { type PipelineUsage, readMonth } from '../../../shared/domains/pipelines/store/index.ts';
import { type Budgets, readBudgets, setBudgets } from '../../../shared/domains/tenancy/usage/index.ts';
import { peakIn, readStorageUsage } from '../../../shared/domains/warehouse/datasets/index.ts';
import { auditItems, holdsAudited } from '../../../shared/platform/audit/entry.ts';
import {
  type CompanyEntitlements,
  licenceKey,
  readEntitlements,
  readPlatformSwitches,
  type StoredLicence,
  type Switches,
} from '../../../shared/platform/entitlements/entitlements.ts';
import { toRecord } from '../../../shared/platform/storage/stored-record.ts';
import type { Table } from '../../../shared/platform/storage/table.ts';
import { transact } from '../../../shared/platform/storage/transact.ts';

export interface EntitlementRepository {
  entitlements(companyId: string): Promise<CompanyEntitlements>;
  platformSwitches(): Promise<Switches>;
  licence(companyId: string): Promise<StoredLicence | undefined>;
  putLicence(licence: StoredLicence): Promise<void>;
  /** Returns false if there is none. */
  removeLicence(companyId: string): Promise<boolean>;
  pipelineUsage(workspaceId: string, month: string): Promise<PipelineUsage>;
  /** The bytes stored now, and at the peak of the month. */
  storage(workspaceId: string, month: string): Promise<{ bytes: number; peakBytes: number }>;
  datasetCount(workspaceId: string): Promise<number>;
  budgets(workspaceId: string): Promise<Budgets>;
  setBudgets(workspaceId: string, budgets: Budgets): Promise<Budgets>;
}

export function entitlementRepository(table: Table): EntitlementRepository {
  return {
    entitlements: (companyId) => readEntitlements(table, companyId),
    platformSwitches: () => readPlatformSwitches(table),

    async licence(companyId) {
      const Key = licenceKey(companyId);
      const found = await table.db.send(new GetCommand({ TableName: table.name, Key, ConsistentRead: true }));
      return found.Item && toRecord<StoredLicence>(found.Item);
    },

    async putLicence(licence) {
      const { id, companyId, tier, products, validUntil } = licence;
      const Item = { ...licence, ...licenceKey(companyId), entity: 'entitlement' };
      const entry = {
        action: 'licence.uploaded',
        object: { type: 'licence', id, name: null },
        place: { companyId, workspaceId: null },
        after: { tier, products, validUntil },
      } as const;
      await transact(table, [{ Put: { TableName: table.name, Item } }, ...(await auditItems(table, entry))]);
    },

    removeLicence: (companyId) =>
      holdsAudited(
        table,
        {
          Delete: {
            TableName: table.name,
            Key: licenceKey(companyId),
            ConditionExpression: 'attribute_exists(pk)',
          },
        },
        {
          action: 'licence.removed',
          object: { type: 'licence', id: companyId, name: null },
          place: { companyId, workspaceId: null },
        },
      ),

    pipelineUsage: (workspaceId, month) => readMonth(table, workspaceId, month),

    async storage(workspaceId, month) {
      const usage = await readStorageUsage(table, workspaceId);
      return { bytes: usage?.bytes ?? 0, peakBytes: peakIn(month, usage) };
    },

    async datasetCount(workspaceId) {
      const Key = { pk: `W#${workspaceId}#DATASET`, sk: '#TOTAL' };
      const total = await table.db.send(new GetCommand({ TableName: table.name, Key, ConsistentRead: true }));
      return (total.Item?.count as number | undefined) ?? 0;
    },

    budgets: (workspaceId) => readBudgets(table, workspaceId),
    setBudgets: (workspaceId, budgets) => setBudgets(table, workspaceId, budgets),
  };
}
