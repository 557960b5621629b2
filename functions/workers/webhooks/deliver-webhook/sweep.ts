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
} from '../../../../shared/domains/webhooks/index.ts';
import { type DueItem, dueItems, type Failure, workOnDue } from '../../../../shared/platform/storage/due-items.ts';
import type { Key } from '../../../../shared/platform/storage/keys.ts';
import type { DeliverDeps } from './deliver.ts';
import { care, FORGOTTEN_AFTER_MS } from './health-checks.ts';

/**
 * Once a minute: wakes deliveries whose time has passed without anybody moving them, or lies too far ahead for the queue,
 * looks after those that are watched together, and cares for webhooks with deliveries that are held. What is woken is
 * left alone for ten minutes, so that a backlog in the queue does not grow by being looked at.
 */
export async function sweep(deps: DeliverDeps, report: (failure: Failure) => void): Promise<Failure[]> {
  const now = deps.now();
  const failures: Failure[] = [];
  const each = async (partition: string, work: (item: DueItem) => Promise<void>) => {
    failures.push(...(await workOnDue(dueItems(deps.table, partition, now), work, report)));
  };
  for (let shard = 0; shard < DELIVERY_SHARDS; shard++) await each(dueDelivery(shard), (item) => wake(deps, item, now));
  await each(WEBHOOK_WATCH, (item) => lookAfterWatched(deps, item, now));
  await each(WEBHOOK_CHECK, ({ pk, sk }) => care(deps, webhookIn({ pk, sk })));
  return failures;
}

async function wake(deps: DeliverDeps, item: Key & { dueAt?: string }, now: Date): Promise<void> {
  const [, workspaceId, , webhookId] = item.pk.split('#') as [string, string, string, string];
  const message = { kind: 'deliver' as const, workspaceId, webhookId, deliveryId: item.sk };
  await deps.queue.send([{ message, delaySeconds: 0 }]);
  const dueAt = new Date(now.getTime() + FORGOTTEN_AFTER_MS).toISOString();
  await deps.deliveries.scheduleCheck(item, { due: dueDelivery(shardOf(item.sk)), dueAt });
}

/** From now on what is still open is looked after by itself. */
async function lookAfterWatched(deps: DeliverDeps, item: DueItem, now: Date): Promise<void> {
  const { pk, sk } = item;
  const stored = await deps.table.db.send(new GetCommand({ TableName: deps.table.name, Key: { pk, sk } }));
  if (!stored.Item) return;
  const { from, period } = toWatch(stored.Item);
  const range = { ...webhookIn(item), from, to: watchDueAt(period).toISOString() };
  for await (const open of deps.deliveries.uncheckedOpen(range)) await wake(deps, open, now);
  await removeWatch(deps.table, { pk, sk });
}

function webhookIn({ pk, sk }: Key): { workspaceId: string; webhookId: string } {
  const [, workspaceId] = pk.split('#') as [string, string];
  const [webhookId] = sk.split('#') as [string];
  return { workspaceId, webhookId };
}
