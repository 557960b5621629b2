import { type PlanRow, readEntitlements } from '../../../platform/entitlements/entitlements.ts';
import { AppError } from '../../../platform/errors/app-error.ts';
import { failedConditions } from '../../../platform/storage/collection.ts';
import { idFrom } from '../../../platform/storage/ids.ts';
import type { Table } from '../../../platform/storage/table.ts';
import { transact } from '../../../platform/storage/transact.ts';
import { outboxItem } from '../../events/index.ts';
import { readWorkspace } from '../../workspaces/index.ts';
import { readMonth } from '../store/read-usage.ts';
import { usageKey } from '../store/run-keys.ts';

/**
 * Throws `ALLOWANCE_EXHAUSTED` when the steps of a workspace have used up the execution time of the company's plan this
 * month, unless the plan allows overage. Not cached, so that a change of plan applies at once.
 */
export async function checkAllowance(table: Table, workspaceId: string, now: Date): Promise<void> {
  const plan = await cappedPlan(table, workspaceId);
  if (!plan || plan.overageOptIn) return;
  const { execution_seconds } = await readMonth(table, workspaceId, monthOf(now));
  if (execution_seconds >= plan.seconds) {
    throw new AppError('ALLOWANCE_EXHAUSTED', { retryAfterSeconds: secondsToNextMonth(now) });
  }
}

/** Sends an event, once per budget and month, if the execution time of the plan is used up. */
export async function reportExhaustedBudget(table: Table, workspaceId: string, now: Date): Promise<void> {
  const plan = await cappedPlan(table, workspaceId);
  if (!plan) return;
  const month = monthOf(now);
  const { execution_seconds: used } = await readMonth(table, workspaceId, month);
  if (used < plan.seconds) return;
  const event = outboxItem(table, {
    id: idFrom('usage.budget_exceeded', workspaceId, 'execution_seconds', month, plan.seconds),
    workspaceId,
    event: 'usage.budget_exceeded',
    at: now,
    data: {
      workspaceId,
      product: 'pipelines',
      measure: 'execution_seconds',
      month,
      budget: plan.seconds,
      used,
      hardCap: !plan.overageOptIn,
      exceededAt: now.toISOString(),
      url: '/api/usage/products',
    },
  });
  // Kept longer than the event itself, which expires after a week.
  const marker = {
    Put: {
      TableName: table.name,
      Item: { ...usageKey(workspaceId, month, `BUDGET#execution_seconds#${plan.seconds}`), entity: 'budget' },
      ConditionExpression: 'attribute_not_exists(pk)',
    },
  };
  try {
    await transact(table, [marker, event]);
  } catch (cause) {
    if (!failedConditions(cause).has(0)) throw cause;
  }
}

async function cappedPlan(
  table: Table,
  workspaceId: string,
): Promise<(Pick<PlanRow, 'overageOptIn'> & { seconds: number }) | undefined> {
  const workspace = await readWorkspace(table, workspaceId);
  if (!workspace) return undefined;
  const plan = (await readEntitlements(table, workspace.companyId)).plans.pipelines;
  if (!plan || plan.allowance === null) return undefined;
  return { overageOptIn: plan.overageOptIn, seconds: plan.allowance * 3600 };
}

const monthOf = (now: Date) => now.toISOString().slice(0, 7);

function secondsToNextMonth(now: Date): number {
  return Math.ceil((Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1) - now.getTime()) / 1000);
}
