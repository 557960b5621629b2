import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { changedMembers } from '../../../platform/audit/changes.ts';
import { auditItems } from '../../../platform/audit/entry.ts';
import { type Key, workspaceKey } from '../../../platform/storage/keys.ts';
import type { Table } from '../../../platform/storage/table.ts';
import { transact } from '../../../platform/storage/transact.ts';

/** What a workspace should use in a month at most: crossing it is reported, and stops nothing. */
export interface Budgets {
  /** Null: the allowance of the plan is the budget. */
  executionHours: number | null;
  storageGb: number | null;
  /** Null until budgets are set for the first time. */
  updatedBy: string | null;
  updatedAt: string | null;
}

export const budgetsKey = (workspaceId: string): Key => workspaceKey(workspaceId, 'USAGE', 'BUDGETS');

export async function readBudgets(table: Table, workspaceId: string): Promise<Budgets> {
  const Key = budgetsKey(workspaceId);
  const found = await table.db.send(new GetCommand({ TableName: table.name, Key, ConsistentRead: true }));
  return budgetsOf(found.Item);
}

export async function setBudgets(table: Table, workspaceId: string, budgets: Budgets): Promise<Budgets> {
  const Item = { ...budgetsKey(workspaceId), entity: 'budgets', ...budgets };
  const entry = await auditItems(table, {
    action: 'budgets.updated',
    object: { type: 'budgets', id: workspaceId, name: null },
    ...changedMembers<Budgets>(
      { executionHours: 'shown', storageGb: 'shown' },
      await readBudgets(table, workspaceId),
      budgets,
    ),
  });
  await transact(table, [{ Put: { TableName: table.name, Item } }, ...entry]);
  return budgets;
}

export function budgetsOf(item: Record<string, unknown> | undefined): Budgets {
  const {
    executionHours = null,
    storageGb = null,
    updatedBy = null,
    updatedAt = null,
  } = (item ?? {}) as Partial<Budgets>;
  return { executionHours, storageGb, updatedBy, updatedAt };
}
