import { readEntitlements } from '../../platform/entitlements/entitlements.ts';
import type { Table } from '../../platform/storage/table.ts';
import { readWorkspace } from '../workspaces/index.ts';

const BYTES_PER_GB = 1024 ** 3;

/**
 * The maximum size of all datasets of a workspace by the company's plan; null if the plan has no limit or allows
 * overage.
 */
export async function readStorageLimit(table: Table, workspaceId: string): Promise<number | null> {
  const workspace = await readWorkspace(table, workspaceId);
  if (!workspace) return null;
  const plan = (await readEntitlements(table, workspace.companyId)).plans.warehouse;
  if (!plan || plan.allowance === null || plan.overageOptIn) return null;
  return plan.allowance * BYTES_PER_GB;
}
