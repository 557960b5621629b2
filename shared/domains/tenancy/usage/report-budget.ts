import type { Product } from '../../../platform/entitlements/products.ts';
import { idFrom } from '../../../platform/storage/ids.ts';
import type { Table } from '../../../platform/storage/table.ts';
import { failedConditions, transact } from '../../../platform/storage/transact.ts';
import { outboxItem } from '../../events/events/index.ts';
import { monthOf, usageKey } from './months.ts';
import type { UsageTerms } from './terms.ts';

const MEASURES = { pipelines: 'execution_seconds', warehouse: 'storage_bytes' } as const;

/** Sends an event, once per budget and month, if the budget is used up. May be repeated. */
export async function reportBudget(
  table: Table,
  { workspaceId, product, used }: { workspaceId: string; product: Product; used: number },
  { budget, cap }: UsageTerms,
  now: Date,
): Promise<void> {
  if (budget === null || used < budget) return;
  const month = monthOf(now);
  const measure = MEASURES[product];
  const event = outboxItem(table, {
    id: idFrom('usage.budget_exceeded', workspaceId, measure, month, budget),
    workspaceId,
    event: 'usage.budget_exceeded',
    at: now,
    data: {
      workspaceId,
      product,
      measure,
      month,
      budget,
      used,
      hardCap: cap !== null && cap <= budget,
      exceededAt: now.toISOString(),
      url: '/api/usage/products',
    },
  });
  // Kept longer than the event itself, which expires after a week.
  const marker = {
    Put: {
      TableName: table.name,
      Item: { ...usageKey(workspaceId, month, `BUDGET#${measure}#${budget}`), entity: 'budget' },
      ConditionExpression: 'attribute_not_exists(pk)',
    },
  };
  try {
    await transact(table, [marker, event]);
  } catch (cause) {
    if (!failedConditions(cause).has(0)) throw cause;
  }
}
