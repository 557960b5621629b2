import { readWorkspace } from '../accounts/accounts.ts';
import { readEntitlements } from '../entitlements/entitlements.ts';
import { AppError } from '../errors/app-error.ts';
import type { Table } from '../storage/table.ts';
import { readMonth } from './read-usage.ts';

/**
 * Throws `ALLOWANCE_EXHAUSTED` when the workspace's steps have worked as long this month as the company's plan includes,
 * unless the plan lets it pay for more. Read anew each time: a change of plan counts at once.
 */
export async function refuseBeyondAllowance(table: Table, workspaceId: string, now: Date): Promise<void> {
  const workspace = await readWorkspace(table, workspaceId);
  if (!workspace) return;
  const { plans } = await readEntitlements(table, workspace.companyId);
  const plan = plans.pipelines;
  if (!plan || plan.allowance === null || plan.overageOptIn) return;
  const { execution_seconds } = await readMonth(table, workspaceId, now.toISOString().slice(0, 7));
  if (execution_seconds >= plan.allowance * 3600) {
    throw new AppError('ALLOWANCE_EXHAUSTED', { retryAfterSeconds: secondsToNextMonth(now) });
  }
}

function secondsToNextMonth(now: Date): number {
  return Math.ceil((Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1) - now.getTime()) / 1000);
}
