import {
  dueDelivery,
  heldDeliveries,
  isBreakerOpen,
  PROBE_EVERY_MS,
  shardOf,
} from '../../../../shared/domains/events/webhooks/index.ts';
import { dueItems } from '../../../../shared/platform/storage/due-items.ts';
import type { DeliverDeps } from './deliver.ts';

/** The index lags behind the table, so a delivery that was just parked may not be in it yet. */
const INDEX_LAG_MS = 30_000;
/** The sweep resumes a released delivery after this long if its message is lost. */
export const RESUME_AFTER_MS = 10 * 60_000;
/** Released per check; further ones follow in the next checks. */
const RELEASED_AT_ONCE = 1000;

/**
 * Releases parked deliveries of a webhook. While its breaker is open, one delivery a minute is released as a probe;
 * while it is disabled by hand, none is. Otherwise all are released. Deliveries whose hold has expired are always
 * released. Safe to repeat and to run concurrently.
 */
export async function checkHealth(deps: DeliverDeps, name: { workspaceId: string; webhookId: string }): Promise<void> {
  const { workspaceId, webhookId } = name;
  const now = deps.now();
  const { webhook, health } = await deps.webhooks.withHealth(workspaceId, webhookId);
  const isWaiting = webhook !== undefined && !webhook.enabled && webhook.disabledReason === 'manual';
  const isProbing = webhook?.enabled === true && isBreakerOpen(health);
  const releaseLimit = isWaiting ? 0 : isProbing ? 1 : RELEASED_AT_ONCE;

  let heldCount = 0;
  let releasedCount = 0;
  for await (const item of dueItems(deps.table, heldDeliveries(webhookId), new Date(now.getTime() + 2 * 86_400_000))) {
    heldCount += 1;
    const isOver = Date.parse(item.dueAt) <= now.getTime();
    if (releasedCount >= (isOver ? RELEASED_AT_ONCE : releaseLimit)) break;
    const dueAt = new Date(now.getTime() + RESUME_AFTER_MS).toISOString();
    await deps.queue.send([
      { message: { kind: 'deliver', workspaceId, webhookId, deliveryId: item.sk }, delaySeconds: 0 },
    ]);
    await deps.deliveries.scheduleCheck(item, { due: dueDelivery(shardOf(item.sk)), dueAt });
    releasedCount += 1;
  }

  const subject = { workspaceId, id: webhookId };
  const isSettled = health.heldAt === null || now.getTime() - Date.parse(health.heldAt) > INDEX_LAG_MS;
  if (heldCount > 0 || !isSettled)
    return deps.health.scheduleCheck(subject, health, new Date(now.getTime() + PROBE_EVERY_MS));
  return webhook ? deps.health.scheduleCheck(subject, health, null) : deps.health.remove(subject, health);
}
