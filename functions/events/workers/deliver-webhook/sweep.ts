import { GetCommand } from '@aws-sdk/lib-dynamodb';
import {
  DELIVERY_SHARDS,
  dueDelivery,
  removeWatch,
  shardOf,
  toWatch,
  WEBHOOK_CHECK,
  WEBHOOK_WATCH,
  watchDueAt,
} from '../../../../shared/domains/events/webhooks/index.ts';
import { type DueItem, dueItems, type Failure, workOnDue } from '../../../../shared/platform/storage/due-items.ts';
import type { Key } from '../../../../shared/platform/storage/keys.ts';
import type { DeliverDeps } from './deliver.ts';
import { checkHealth, RESUME_AFTER_MS } from './health-checks.ts';

/**
 * Runs once a minute. Resumes deliveries that are overdue, or were due too far ahead for the queue; checks deliveries
 * that are watched as a group; and runs health checks of webhooks with parked deliveries. A resumed delivery is skipped
 * for ten minutes, so that the sweep does not add to a backlog in the queue.
 */
export async function sweep(deps: DeliverDeps, report: (failure: Failure) => void): Promise<Failure[]> {
  const now = deps.now();
  const failures: Failure[] = [];
  const each = async (partition: string, work: (item: DueItem) => Promise<void>) => {
    failures.push(...(await workOnDue(dueItems(deps.table, partition, now), work, report)));
  };
  for (let shard = 0; shard < DELIVERY_SHARDS; shard++)
    await each(dueDelivery(shard), (item) => resume(deps, item, now));
  await each(WEBHOOK_WATCH, (item) => resumeWatched(deps, item, now));
  await each(WEBHOOK_CHECK, ({ pk, sk }) => checkHealth(deps, webhookIn({ pk, sk })));
  return failures;
}

async function resume(deps: DeliverDeps, item: Key & { dueAt?: string }, now: Date): Promise<void> {
  const [, workspaceId, , webhookId] = item.pk.split('#') as [string, string, string, string];
  const message = { kind: 'deliver' as const, workspaceId, webhookId, deliveryId: item.sk };
  await deps.queue.send([{ message, delaySeconds: 0 }]);
  const dueAt = new Date(now.getTime() + RESUME_AFTER_MS).toISOString();
  await deps.deliveries.scheduleCheck(item, { due: dueDelivery(shardOf(item.sk)), dueAt });
}

/** Resumes open deliveries of the group; from now on each has its own next check. */
async function resumeWatched(deps: DeliverDeps, item: DueItem, now: Date): Promise<void> {
  const { pk, sk } = item;
  const stored = await deps.table.db.send(new GetCommand({ TableName: deps.table.name, Key: { pk, sk } }));
  if (!stored.Item) return;
  const { from, period } = toWatch(stored.Item);
  const range = { ...webhookIn(item), from, to: watchDueAt(period).toISOString() };
  for await (const open of deps.deliveries.uncheckedOpen(range)) await resume(deps, open, now);
  await removeWatch(deps.table, { pk, sk });
}

function webhookIn({ pk, sk }: Key): { workspaceId: string; webhookId: string } {
  const [, workspaceId] = pk.split('#') as [string, string];
  const [webhookId] = sk.split('#') as [string];
  return { workspaceId, webhookId };
}
