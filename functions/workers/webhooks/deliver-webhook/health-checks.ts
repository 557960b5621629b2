import {
  dueDelivery,
  heldDeliveries,
  isBreakerOpen,
  PROBE_EVERY_MS,
  shardOf,
} from '../../../../shared/domains/webhooks/index.ts';
import { dueItems } from '../../../../shared/platform/storage/due-items.ts';
import type { DeliverDeps } from './deliver.ts';

/** The index lags behind the table; what was held back a moment ago may not be in it yet. */
const INDEX_LAG_MS = 30_000;
/** A released delivery whose message is lost is looked at again after this long. */
export const FORGOTTEN_AFTER_MS = 10 * 60_000;
/** Sent on at a time; a webhook with more gets them as these are through. */
const RELEASED_AT_ONCE = 1000;

/**
 * Looks after what is held back for a webhook. While its breaker is open one delivery a minute goes on, to try; while it
 * is disabled by hand none does; otherwise all do, and what they find decides what becomes of them. Those whose time is
 * up go on in any case. Safe to repeat, and to do twice at once.
 */
export async function care(deps: DeliverDeps, name: { workspaceId: string; webhookId: string }): Promise<void> {
  const { workspaceId, webhookId } = name;
  const now = deps.now();
  const { webhook, health } = await deps.webhooks.withHealth(workspaceId, webhookId);
  const isWaiting = webhook !== undefined && !webhook.enabled && webhook.disabledReason === 'manual';
  const isProbing = webhook?.enabled === true && isBreakerOpen(health);
  const mayContinue = isWaiting ? 0 : isProbing ? 1 : RELEASED_AT_ONCE;

  let held = 0;
  let released = 0;
  for await (const item of dueItems(deps.table, heldDeliveries(webhookId), new Date(now.getTime() + 2 * 86_400_000))) {
    held += 1;
    const isOver = Date.parse(item.dueAt) <= now.getTime();
    if (released >= (isOver ? RELEASED_AT_ONCE : mayContinue)) break;
    const dueAt = new Date(now.getTime() + FORGOTTEN_AFTER_MS).toISOString();
    await deps.queue.send([
      { message: { kind: 'deliver', workspaceId, webhookId, deliveryId: item.sk }, delaySeconds: 0 },
    ]);
    await deps.deliveries.scheduleCheck(item, { due: dueDelivery(shardOf(item.sk)), dueAt });
    released += 1;
  }

  const subject = { workspaceId, id: webhookId };
  const isSettled = health.heldAt === null || now.getTime() - Date.parse(health.heldAt) > INDEX_LAG_MS;
  if (held > 0 || !isSettled)
    return deps.health.scheduleCheck(subject, health, new Date(now.getTime() + PROBE_EVERY_MS));
  return webhook ? deps.health.scheduleCheck(subject, health, null) : deps.health.remove(subject, health);
}
