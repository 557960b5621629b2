import type { Budgets as StoredBudgets } from '../../../../shared/domains/tenancy/usage/index.ts';
import type { Principal } from '../../../../shared/platform/auth/principal.ts';
import type { EntitlementRepository } from '../repository.ts';
import type { Budgets } from '../schemas.ts';

interface Deps {
  entitlements: EntitlementRepository;
  now(): Date;
}

export async function getBudgets({ entitlements }: Deps, { workspaceId }: Principal): Promise<Budgets> {
  return showBudgets(workspaceId, await entitlements.budgets(workspaceId));
}

/** Replaces both budgets. */
export async function replaceBudgets(
  { entitlements, now }: Deps,
  { workspaceId, userId }: Principal,
  { pipelines, warehouse }: Pick<Budgets, 'pipelines' | 'warehouse'>,
): Promise<Budgets> {
  const stored = await entitlements.setBudgets(workspaceId, {
    executionHours: pipelines.execution_hours,
    storageGb: warehouse.storage_gb,
    updatedBy: userId,
    updatedAt: now().toISOString(),
  });
  return showBudgets(workspaceId, stored);
}

function showBudgets(workspaceId: string, { executionHours, storageGb, updatedBy, updatedAt }: StoredBudgets): Budgets {
  return {
    workspaceId,
    pipelines: { execution_hours: executionHours },
    warehouse: { storage_gb: storageGb },
    updatedBy,
    updatedAt,
  };
}
