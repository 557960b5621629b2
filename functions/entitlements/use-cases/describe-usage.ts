import { holdsLicence, type PlanRow } from '../../../shared/platform/entitlements/entitlements.ts';
import type { EntitlementRepository } from '../repository.ts';
import type { ProductUsage } from '../schemas.ts';

const SECONDS_PER_HOUR = 3600;
const BYTES_PER_GB = 1024 ** 3;

/** The usage of the current month, from the ledgers that the work itself writes. */
export async function describeUsage(
  deps: { entitlements: EntitlementRepository; now: () => Date },
  caller: { companyId: string; workspaceId: string },
): Promise<ProductUsage> {
  const now = deps.now();
  const month = now.toISOString().slice(0, 7);
  const [entitlements, pipelines, storage, datasets] = await Promise.all([
    deps.entitlements.entitlements(caller.companyId),
    deps.entitlements.pipelineUsage(caller.workspaceId, month),
    deps.entitlements.storage(caller.workspaceId, month),
    deps.entitlements.datasetCount(caller.workspaceId),
  ]);
  const { plans } = entitlements;
  return {
    month,
    workspace_id: caller.workspaceId,
    products: {
      pipelines: {
        licensed: holdsLicence(entitlements, 'pipelines', now),
        ...plan(plans.pipelines),
        allowance: plans.pipelines
          ? {
              execution_hours: plans.pipelines.allowance,
              execution_seconds: times(plans.pipelines.allowance, SECONDS_PER_HOUR),
            }
          : null,
        currentPeriod: pipelines,
      },
      warehouse: {
        licensed: holdsLicence(entitlements, 'warehouse', now),
        ...plan(plans.warehouse),
        allowance: plans.warehouse
          ? { storage_gb: plans.warehouse.allowance, storage_bytes: times(plans.warehouse.allowance, BYTES_PER_GB) }
          : null,
        currentPeriod: { storage_bytes: storage.peakBytes, storage_bytes_current: storage.bytes, datasets },
      },
    },
  };
}

function plan(row: PlanRow | undefined) {
  return { planKey: row?.planKey ?? null, overageOptIn: row?.overageOptIn ?? null, draft: row?.draft ?? null };
}

function times(amount: number | null, unit: number): number | null {
  return amount === null ? null : amount * unit;
}
