import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { readEntitlements } from '../entitlements/entitlements.ts';
import { AppError } from '../errors/app-error.ts';
import type { Table } from '../storage/table.ts';
import { usageKey } from './run-keys.ts';

/**
 * Throws `ALLOWANCE_EXHAUSTED` when the workspace's steps have worked as long this month as the company's plan includes,
 * unless the plan lets it pay for more. Read anew for each run: a change of plan counts at once.
 */
export async function refuseBeyondAllowance(
  table: Table,
  who: { companyId: string; workspaceId: string },
  now: Date,
): Promise<void> {
  const { plans } = await readEntitlements(table, who.companyId);
  const plan = plans.pipelines;
  if (!plan || plan.allowance === null || plan.overageOptIn) return;
  if ((await secondsUsed(table, who.workspaceId, now)) >= plan.allowance * 3600) {
    throw new AppError('ALLOWANCE_EXHAUSTED', { retryAfterSeconds: secondsToNextMonth(now) });
  }
}

async function secondsUsed(table: Table, workspaceId: string, now: Date): Promise<number> {
  const { pk, sk } = usageKey(workspaceId, now.toISOString().slice(0, 7), 'DAY#');
  const days = await table.db.send(
    new QueryCommand({
      TableName: table.name,
      KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
      ExpressionAttributeValues: { ':pk': pk, ':prefix': sk },
      ConsistentRead: true,
    }),
  );
  return (days.Items ?? []).reduce((sum, day) => sum + ((day.execution_seconds as number | undefined) ?? 0), 0);
}

function secondsToNextMonth(now: Date): number {
  return Math.ceil((Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1) - now.getTime()) / 1000);
}
