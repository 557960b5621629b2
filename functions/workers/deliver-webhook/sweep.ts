import { dueItems, type Failure, workOnDue } from '../../../shared/storage/due-items.ts';
import { DELIVERY_SHARDS, dueDelivery, WEBHOOK_CARE } from '../../../shared/webhooks/keys.ts';
import { care, FORGOTTEN_AFTER_MS } from './care.ts';
import type { DeliverDeps } from './deliver.ts';

/**
 * Once a minute: wakes deliveries whose time has passed without anybody moving them, or lies too far ahead for the queue,
 * and cares for webhooks with deliveries that are held. What is woken is left alone for ten minutes, so that a backlog in
 * the queue does not grow by being looked at.
 */
export async function sweep(deps: DeliverDeps, report: (failure: Failure) => void): Promise<Failure[]> {
  const now = deps.now();
  const failures: Failure[] = [];
  for (let shard = 0; shard < DELIVERY_SHARDS; shard++) {
    const due = dueDelivery(shard);
    const wake = async (item: { pk: string; sk: string; dueAt: string }) => {
      const [, workspaceId, , webhookId] = item.pk.split('#') as [string, string, string, string];
      const message = { kind: 'deliver' as const, workspaceId, webhookId, deliveryId: item.sk };
      await deps.queue.send([{ message, delaySeconds: 0 }]);
      const dueAt = new Date(now.getTime() + FORGOTTEN_AFTER_MS).toISOString();
      await deps.deliveries.lookAgain(item, { due, dueAt });
    };
    failures.push(...(await workOnDue(dueItems(deps.table, due, now), wake, report)));
  }
  const careFor = async ({ pk, sk }: { pk: string; sk: string }) => {
    const [, workspaceId] = pk.split('#') as [string, string];
    const [webhookId] = sk.split('#') as [string];
    await care(deps, { workspaceId, webhookId });
  };
  failures.push(...(await workOnDue(dueItems(deps.table, WEBHOOK_CARE, now), careFor, report)));
  return failures;
}
