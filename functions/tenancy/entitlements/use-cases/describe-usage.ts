import { monthOf } from '../../../../shared/domains/tenancy/usage/index.ts';
import { type PlanRow, resolveEntitlements } from '../../../../shared/platform/entitlements/entitlements.ts';
import type { EntitlementRepository } from '../repository.ts';
import type { ProductUsage } from '../schemas.ts';

const SECONDS_PER_HOUR = 3600;
const BYTES_PER_GB = 1024 ** 3;

/** The usage of a month, by default the current one, from the counters that the work itself raises. */
export async function describeUsage(
  deps: { entitlements: EntitlementRepository; now: () => Date },
  query: { companyId: string; workspaceId: string; month?: string | undefined },
): Promise<ProductUsage> {
  const now = deps.now();
  const { workspaceId, month = monthOf(now) } = query;
  const [company, platform, pipelines, storage, datasets] = await Promise.all([
    deps.entitlements.entitlements(query.companyId),
    deps.entitlements.platformSwitches(),
    deps.entitlements.pipelineUsage(workspaceId, month),
    deps.entitlements.storage(workspaceId, month),
    deps.entitlements.datasetCount(workspaceId),
  ]);
  const { licensed } = resolveEntitlements(company, platform, now);
  const { plans } = company;
  return {
    month,
    workspace_id: workspaceId,
    products: {
      pipelines: {
        licensed: licensed.pipelines,
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
        licensed: licensed.warehouse,
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
