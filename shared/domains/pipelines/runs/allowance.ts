import { isProductError } from '../../../platform/entitlements/product-check.ts';
import { AppError } from '../../../platform/errors/app-error.ts';
import type { Table } from '../../../platform/storage/table.ts';
import { assertProductUsable, monthOf, readCap, readTerms, reportBudget } from '../../tenancy/usage/index.ts';
import { readMonth } from '../store/index.ts';

/**
 * Throws `ALLOWANCE_EXHAUSTED` when the steps of a workspace have used up the execution time of the company's plan this
 * month, unless the plan allows overage. Not cached, so that a change of plan applies at once.
 */
export async function checkAllowance(table: Table, workspaceId: string, now: Date): Promise<void> {
  await checkCap(table, workspaceId, await readCap(table, workspaceId, 'pipelines'), now);
}

async function checkCap(table: Table, workspaceId: string, cap: number | null, now: Date): Promise<void> {
  if (cap === null) return;
  const { execution_seconds } = await readMonth(table, workspaceId, monthOf(now));
  if (execution_seconds >= cap) {
    throw new AppError('ALLOWANCE_EXHAUSTED', { retryAfterSeconds: secondsToNextMonth(now) });
  }
}

/** The same before a run starts, which also needs a licence; what is running goes on without one. */
export async function checkStart(table: Table, workspaceId: string, now: Date): Promise<void> {
  const { cap } = await assertProductUsable(table, workspaceId, 'pipelines', now);
  await checkCap(table, workspaceId, cap, now);
}

export async function mayStart(table: Table, workspaceId: string, now: Date): Promise<boolean> {
  try {
    await checkStart(table, workspaceId, now);
    return true;
  } catch (cause) {
    if (isProductError(cause) || (cause instanceof AppError && cause.code === 'ALLOWANCE_EXHAUSTED')) return false;
    throw cause;
  }
}

/** Sends an event, once per budget and month, if the execution time of the workspace's budget is used up. */
export async function reportExhaustedBudget(table: Table, workspaceId: string, now: Date): Promise<void> {
  const terms = await readTerms(table, workspaceId, 'pipelines');
  if (!terms || terms.budget === null) return;
  const { execution_seconds: used } = await readMonth(table, workspaceId, monthOf(now));
  await reportBudget(table, { workspaceId, product: 'pipelines', used }, terms, now);
}

function secondsToNextMonth(now: Date): number {
  return Math.ceil((Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1) - now.getTime()) / 1000);
}
